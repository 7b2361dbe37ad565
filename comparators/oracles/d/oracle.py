"""Symbols and imports of D files as the compiler LDC describes them.

Usage: oracle.py --root DIR
Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

The description is made after the semantic analysis, so a file whose imports are not there has no labels.
It has the branch of a `version` that holds on this machine. A declaration with parameters of a template is
described as a template around it, at its place; it is one symbol. What a string mixin makes is no symbol of the file. The place of the
declaration of the module is not described: its line is looked up in the source.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

KINDS = {
    "class": "class", "struct": "struct", "union": "union", "interface": "interface", "enum": "enum",
    "enum member": "enum_member", "function": "function", "constructor": "constructor",
    "destructor": "destructor", "variable": "variable", "alias": "alias", "template": "mixin",
}
MODULE = re.compile(rb"^\s*(?:@\w+\s+)*(?:deprecated\s*\([^)]*\)\s*)?module\s+([\w.]+)\s*;", re.MULTILINE)
STDLIB = {"std", "core", "etc", "object", "ldc"}
OWNERS = {"class", "struct", "union", "interface"}


def modules(root):
    """The modules below the root, and the folders that they are imported from."""
    names, folders = set(), set()
    for folder, _, files in os.walk(root):
        for file in files:
            if not file.endswith((".d", ".di")):
                continue
            with open(os.path.join(folder, file), "rb") as opened:
                match = MODULE.search(opened.read())
            if match:
                name = match.group(1).decode()
                names.add(name)
                parts = name.split(".")
                path = os.path.join(folder, file.rsplit(".", 1)[0])
                path = folder if file.startswith("package.") else path
                if path.split(os.sep)[-len(parts):] == parts:
                    folders.add(os.sep.join(path.split(os.sep)[:-len(parts)]))
    return names, sorted(folders)


def import_of(member, names):
    """The import that a member is."""
    path = member["name"]
    selected = member.get("selective") or list((member.get("renamed") or {}).values())
    local = path in names
    category = "local" if local else "stdlib" if path.split(".")[0] in STDLIB else "third_party"
    return {"path": path, "names": selected or ["*"], "category": category, "line": member["line"]}


def is_around(template, inner):
    """Whether a template stands for the parameters of what is in it."""
    return all(template.get(key) == inner.get(key) for key in ("line", "char"))


def labels(description, source, names):
    """Symbols and imports of a module, in source order."""
    symbols, imports = [], []
    found = MODULE.search(source)
    if found:
        line = source.count(b"\n", 0, found.start(1)) + 1
        symbols.append({"name": found.group(1).decode(), "kind": "module", "line": line, "parent": None})
    waiting = [(member, None, None) for member in reversed(description.get("members", []))]
    while waiting:
        member, parent, owner = waiting.pop()
        kind, name = member["kind"], member.get("name", "")
        if "file" in member or "line" not in member:
            continue
        if kind in ("import", "static import"):
            imports.append(import_of(member, names))
            continue
        inner = member.get("members", [])
        if kind == "template":
            name = name.split("(")[0].strip()
            if len(inner) == 1 and is_around(member, inner[0]):
                waiting.append((inner[0], parent, owner))
                continue
        if kind not in KINDS or not name or name.startswith("__"):
            continue
        label = KINDS[kind]
        if owner in OWNERS:
            label = {"function": "method", "variable": "field"}.get(label, label)
        name = {"constructor": "this", "destructor": "~this"}.get(kind, name)
        symbols.append({
            "name": name, "kind": label, "line": member["line"], "decl_line": member["line"],
            "end_line": max(member.get("endline", member["line"]), member["line"]), "parent": parent,
        })
        waiting.extend((one, name, kind) for one in reversed(inner))
    return symbols, imports


def main():
    """Answers for each path."""
    root = sys.argv[2] if sys.argv[1:2] == ["--root"] else "."
    names, folders = modules(root)
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "module.json")
        for line in sys.stdin:
            file = line.rstrip("\n")
            if not file:
                continue
            answer = {
                "file": file, "language": "d", "oracle": "LDC 1.30.0 -X",
                "parse_errors": 0, "error": None, "symbols": [], "imports": [],
            }
            path = os.path.join(root, file)
            command = ["ldc2", "-o-", "-X", f"-Xf={out}", *(f"-I{folder}" for folder in folders), path]
            if not os.path.isfile(path):
                answer["error"] = "no such file"
            else:
                ended = subprocess.run(
                    command, cwd=scratch, check=False, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                if ended.returncode == 0 and os.path.isfile(out):
                    with open(out, encoding="utf-8") as opened, open(path, "rb") as source:
                        answer["symbols"], answer["imports"] = labels(
                            (json.load(opened) or [{}])[0], source.read(), names,
                        )
                    os.remove(out)
                else:
                    answer["parse_errors"] = 1
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
