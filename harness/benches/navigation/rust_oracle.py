"""Gold of Rust: rust-analyzer.

    rust_oracle.py list ROOT < {"files": [paths]}             names and definitions
    rust_oracle.py ROOT RUST-ANALYZER CARGO-HOME < request    what the names at some places mean

Request and answer are those of python_oracle.py. Crates of others are not there, so cargo cannot say what the
root is made of: its manifests are read here instead, with every feature and with `cfg(test)`. The standard library
is there. A name that the server does not resolve is external where its path or its `use` starts at a crate of
others, and has no gold elsewhere.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsp import Server

# What stands for every place outside of the root.
OUTSIDE = (-1, 0, 0)
# A place that the server leads to, but which is not what the name means.
UNCLEAR = (-2, 0, 0)
UNREADABLE = (OSError, UnicodeDecodeError, RecursionError)
KEYWORDS = set(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static"
    " struct super trait true type unsafe use where while abstract become box do final macro override priv typeof unsized virtual yield".split()
)
PATHS = {"crate", "self", "super", "Self"}
STANDARD = {"std", "core", "alloc", "proc_macro", "test"}
PRIMITIVES = set("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split())
TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)|(?P<block>/\*)
    |(?P<string>(?:[bc]?r)(?P<hashes>\#*)"(?s:.*?)"(?P=hashes)|[bc]?"(?s:\\.|[^"\\])*"|b?'(?:\\u\{[^}]*\}|\\x..|\\.|[^\\'\n])')
    |(?P<lifetime>'(?:r\#)?\w+)|(?P<number>\d\w*(?:\.\d\w*)?)|(?P<word>(?:r\#)?[^\W\d]\w*)
    |(?P<mark>::|->|=>|\.\.[.=]?|(?s:.))""",
    re.VERBOSE,
)
CLOSES = {"(": ")", "[": "]", "{": "}"}


class File:
    """A file with its words, and what they are part of. Places are line and column from 1, in characters."""

    def __init__(self, path):
        self.text = path.read_bytes().decode("utf-8")
        self.tokens = list(tokens(self.text))
        self.words = [text for _, text, _, _ in self.tokens]
        self.at = {(line, column): index for index, (_, _, line, column) in enumerate(self.tokens)}
        # The other end of each bracket, what each definition is, and the bodies of macros.
        self.end, self.kinds, self.bodies = brackets(self.words), {}, []
        # The words of each `use`, with where their path starts; that, by each name that is bound; what `as` renames.
        self.uses, self.bound, self.renamed = {}, {}, set()
        for index in range(len(self.tokens)):
            self.define(index)
            self.use(index)

    def word(self, index):
        return self.words[index] if 0 <= index < len(self.words) else ""

    def is_name(self, index):
        return 0 <= index < len(self.tokens) and self.tokens[index][0] == "word" and self.words[index] not in KEYWORDS and self.words[index] != "_"

    def place(self, index):
        return self.tokens[index][2:]

    def names(self):
        return [index for index in range(len(self.tokens)) if self.is_name(index)]

    def define(self, index):
        word, name = self.words[index], index + 1
        if word in ("const", "static"):
            if self.word(index - 1) in ("*", "<", ",", "raw"):
                return
            while self.word(name) in ("mut", "ref"):
                name += 1
            if self.word(name + 1) != ":":
                return
        if word == "macro_rules" and self.word(name) == "!":
            name += 1
            if self.word(name + 1) in CLOSES and name + 1 in self.end:
                self.bodies.append((name + 1, self.end[name + 1]))
        elif word not in ("fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static"):
            return
        if not self.is_name(name) or word == "union" and self.word(index - 1) == ".":
            return
        self.kinds[name] = word
        if word in ("struct", "union", "enum"):
            self.members(word, name)

    def members(self, word, name):
        """Fields of a struct or of a variant, and variants of an enum."""
        index = name + 1
        while index < len(self.words) and self.words[index] not in (";", "{", "}", ")", "]"):
            index = self.end.get(index, index) + 1
        if self.word(index) != "{" or index not in self.end:
            return
        last, index = self.end[index], index + 1
        while index < last:
            if self.is_name(index) and word != "enum" and self.word(index + 1) == ":":
                self.kinds[index] = "field"
            elif self.is_name(index) and word == "enum" and self.words[index - 1] in ("{", ",", "]"):
                self.kinds[index] = "variant"
                if self.word(index + 1) == "{":
                    self.members("variant", index)
            index = self.end.get(index, index) + 1

    def use(self, index):
        if self.words[index] == "extern" and self.word(index + 1) == "crate" and self.is_name(index + 2):
            name = index + 4 if self.word(index + 3) == "as" else index + 2
            self.uses[index + 2] = self.uses[name] = (index + 2, True)
            self.bound.setdefault(self.word(name), set()).add(index + 2)
        elif self.words[index] == "use" and (index == 0 or self.words[index - 1] in (";", "{", "}", "]", "pub", ")")):
            self.tree(index + 1, None, False)

    def tree(self, index, first, is_global):
        """Reads one tree of a `use`, and returns what is behind it."""
        if self.word(index) == "::":
            index, is_global = index + 1, True
        leaf = None
        while True:
            if self.word(index) == "{":
                index += 1
                while self.word(index) not in ("}", ";", ""):
                    index = self.tree(index, first, is_global)
                    if self.word(index) == ",":
                        index += 1
                    elif self.word(index) != "}":
                        return len(self.words)
                return index + 1
            if self.word(index) == "*":
                return index + 1
            if not (self.is_name(index) or self.word(index) in PATHS):
                return len(self.words)
            # `self` in a group stands for what is before it.
            if self.word(index) != "self" or first is None:
                first = index if first is None else first
                leaf = index
            self.uses[index] = (first, is_global)
            index += 1
            if self.word(index) != "::":
                break
            index += 1
        name = self.word(leaf) if leaf is not None else None
        if leaf is None and self.word(index - 2) in ("{", ","):
            before = index - 2
            while before > 0 and self.words[before] != "{":
                before -= 1
            name = self.word(before - 2)
        if self.word(index) == "as":
            self.renamed.add((name, self.word(index + 1)))
            name = self.word(index + 1)
            self.uses[index + 1] = (first, is_global)
            index += 2
        if name:
            self.bound.setdefault(name, set()).add(first)
        return index

    def qualifier(self, index):
        """The word before `::`, or `>` behind a type in brackets, or nothing."""
        return self.word(index - 2) if self.word(index - 1) == "::" else ""

    def start(self, index):
        """Where the path starts that a word is part of, and whether `::` is before it; nothing where it is a type in brackets."""
        while self.word(index - 1) == "::":
            before = index - 2
            if self.word(before) == ">":
                depth = 0
                while before >= 0:
                    depth += {">": 1, "<": -1}.get(self.words[before], 0)
                    if self.words[before] in (";", "{", "}"):
                        return None
                    if depth == 0:
                        break
                    before -= 1
                before -= 2 if self.word(before - 1) == "::" else 1
            if before < 0 or self.tokens[before][0] != "word":
                return (index, True) if self.word(index - 2) not in (">", "") and self.tokens[index - 2][0] != "word" else None
            if self.words[before] in KEYWORDS - PATHS:
                return (index, True) if self.words[before] not in ("as", "for", "dyn") or index - 2 == before else None
            index = before
        return index, False

    def is_member(self, index):
        before = self.qualifier(index)
        return self.word(index - 1) == "." or before == ">" or before in PRIMITIVES or before[:1].isupper()

    def is_in_macro(self, index):
        return any(first < index < last for first, last in self.bodies)


def tokens(text):
    """Kind, text, line and column of everything that is neither space nor comment."""
    at, line, start = 0, 1, 0
    if text.startswith("#!") and not text.startswith("#!["):
        at = text.find("\n") % (len(text) + 1)
    while at < len(text):
        found = TOKEN.match(text, at)
        kind, end = found.lastgroup, found.end()
        if kind == "hashes":
            kind = "string"
        if kind == "block":
            depth, kind = 1, "skip"
            while depth and end < len(text):
                mark = re.compile(r"/\*|\*/").search(text, end)
                end = mark.end() if mark else len(text)
                depth += 0 if not mark else 1 if mark[0] == "/*" else -1
        if kind != "skip":
            yield kind, text[at:end].removeprefix("r#") if kind == "word" else text[at:end], line, at - start + 1
        lines = text.count("\n", at, end)
        if lines:
            line, start = line + lines, text.rfind("\n", at, end) + 1
        at = end


def brackets(words):
    open_ones, found = [], {}
    for index, word in enumerate(words):
        if word in CLOSES:
            open_ones.append(index)
        elif word in CLOSES.values():
            if open_ones and CLOSES[words[open_ones[-1]]] == word:
                found[open_ones.pop()] = index
    return found


# -------------------------------------------------------------------- crates


class Package:
    """What a manifest declares."""

    def __init__(self, path, workspace):
        self.table = tomllib.loads(path.read_text(encoding="utf-8"))
        self.folder, self.package = path.parent, self.table.get("package", {})
        self.name = self.package.get("name", "")
        edition = self.package.get("edition", "2015")
        if isinstance(edition, dict):
            edition = workspace.get("package", {}).get("edition", "2021")
        self.edition = str(edition)
        self.needed, self.tried, self.build = {}, {}, {}
        for table in [self.table, *self.table.get("target", {}).values()]:
            for into, sections in ((self.needed, ("dependencies",)), (self.tried, ("dev-dependencies", "dev_dependencies")), (self.build, ("build-dependencies", "build_dependencies"))):
                for section in sections:
                    for name, value in table.get(section, {}).items():
                        into[crate_name(name)] = value.get("package", name) if isinstance(value, dict) else name
        self.features = sorted({*self.table.get("features", {}), *self.needed})
        lib = self.table.get("lib", {})
        self.lib = self.folder / lib.get("path", "src/lib.rs")
        self.lib_name = crate_name(lib.get("name", self.name))
        self.is_macro = bool(lib.get("proc-macro") or lib.get("proc_macro"))

    def targets(self):
        """The roots of all crates but the library."""
        for kind, folder, auto in (("bin", "src/bin", "autobins"), ("test", "tests", "autotests"), ("example", "examples", "autoexamples"), ("bench", "benches", "autobenches")):
            found = []
            for one in self.table.get(kind, []):
                name = one.get("name", self.name)
                places = [one["path"]] if "path" in one else [f"{folder}/{name}.rs", f"{folder}/{name}/main.rs", *(["src/main.rs"] if kind == "bin" else [])]
                found += [self.folder / place for place in places if (self.folder / place).is_file()][:1]
            if self.package.get(auto, True):
                found += [*([self.folder / "src/main.rs"] if kind == "bin" else []), *sorted((self.folder / folder).glob("*.rs")), *sorted((self.folder / folder).glob("*/main.rs"))]
            for path in dict.fromkeys(found):
                if path.is_file():
                    yield kind, path
        build = self.package.get("build", "build.rs")
        if isinstance(build, str) and (self.folder / build).is_file():
            yield "build", self.folder / build


def crate_name(name):
    return name.replace("-", "_")


def packages_of(root):
    paths = [path for path in sorted(root.rglob("Cargo.toml")) if not {"target", ".git"} & set(path.relative_to(root).parts)]
    workspace = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8")).get("workspace", {}) if (root / "Cargo.toml").is_file() else {}
    found = []
    for path in paths:
        try:
            package = Package(path, workspace)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError):
            continue
        if package.name:
            found.append(package)
    return found


def project(root, packages, sysroot):
    """What rust-project.json would hold."""
    crates, libraries = [], {}

    def add(package, path, name, is_macro=False):
        crates.append({
            "display_name": name, "root_module": str(path), "edition": package.edition, "deps": [], "is_workspace_member": True, "is_proc_macro": is_macro,
            "cfg": ["test", "debug_assertions", *(f'feature="{feature}"' for feature in package.features)],
            "env": {"CARGO_MANIFEST_DIR": str(package.folder), "CARGO_PKG_NAME": package.name, "CARGO_PKG_VERSION": str(package.package.get("version", "0.0.0"))},
            "source": {"include_dirs": [str(root)], "exclude_dirs": [str(root / ".git"), str(root / "target")]},
        })  # fmt: skip
        return len(crates) - 1

    for package in packages:
        if package.lib.is_file():
            libraries[package.name] = add(package, package.lib, package.lib_name, package.is_macro)
    names = {number: crates[number]["display_name"] for number in libraries.values()}

    def reaches(start, goal):
        return start == goal or any(reaches(one["crate"], goal) for one in crates[start]["deps"])

    def link(number, dependencies):
        for name, package in dependencies.items():
            other = libraries.get(package)
            # A name of its own, or that of the library.
            called = names[other] if other is not None and name == crate_name(package) else name
            if other is not None and called not in [one["name"] for one in crates[number]["deps"]] and not reaches(other, number):
                crates[number]["deps"].append({"crate": other, "name": called})

    for kind in ("needed", "tried"):
        for package in packages:
            if package.name in libraries:
                link(libraries[package.name], getattr(package, kind))
    for package in packages:
        for kind, path in package.targets():
            number = add(package, path, "build_script_build" if kind == "build" else crate_name(path.stem))
            if kind == "build":
                link(number, package.build)
                continue
            link(number, {package.lib_name: package.name, **package.needed, **package.tried})
    return {"sysroot": str(sysroot), "sysroot_src": str(sysroot / "lib/rustlib/src/rust/library"), "crates": crates}


class RustAnalyzer(Server):
    def __init__(self, program, cargo, root, description):
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("CARGO", "RUST"))},
            "PATH": f"{program.parent}:{os.environ['PATH']}", "CARGO_HOME": str(cargo), "CARGO_NET_OFFLINE": "true", "RUSTC": str(program.parent / "rustc"), "CARGO": str(program.parent / "cargo"),
        }  # fmt: skip
        super().__init__([program], stderr=None if "VERBOSE" in os.environ else subprocess.DEVNULL, env=environment)
        options = {"linkedProjects": [description], "checkOnSave": False, "cachePriming": {"enable": False}, "procMacro": {"enable": True}, "numThreads": 1}
        capabilities = {
            "general": {"positionEncodings": ["utf-32"]}, "textDocument": {"definition": {"linkSupport": True}},
            "workspace": {"configuration": False}, "experimental": {"serverStatusNotification": True},
        }  # fmt: skip
        self.is_ready = False
        folder = {"uri": root.as_uri(), "name": "root"}
        found = self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": capabilities, "initializationOptions": options})
        assert found["capabilities"]["positionEncoding"] == "utf-32"
        self.tell("initialized", {})
        while not self.is_ready:
            self.heed(self.read())

    def heed(self, message):
        if message.get("method") == "experimental/serverStatus":
            self.is_ready = message["params"]["quiescent"]
            if message["params"].get("message"):
                print(message["params"]["health"], message["params"]["message"], file=sys.stderr, flush=True)
        else:
            super().heed(message)

    def targets(self, method, path, line, column):
        found = self.ask(f"textDocument/{method}", {"textDocument": {"uri": path.as_uri()}, "position": {"line": line - 1, "character": column - 1}})
        for one in found or []:
            start = (one.get("targetSelectionRange") or one["range"])["start"]
            yield Path(unquote(urlparse(one.get("targetUri") or one["uri"]).path)), start["line"] + 1, start["character"] + 1


# ------------------------------------------------------------------- answers


class World:
    def __init__(self, root, program, cargo, files):
        self.root, self.files, self.known, self.renamed = root, files, {}, None
        self.numbers = {str(root / name): number for number, name in enumerate(files)}
        self.packages = packages_of(root)
        self.inside = {package.lib_name for package in self.packages} | {crate_name(package.name) for package in self.packages}
        self.server = RustAnalyzer(program, cargo, root, project(root, self.packages, program.parents[1]))

    def is_renamed(self, old, new):
        if self.renamed is None:
            self.renamed = set()
            for number in range(len(self.files)):
                try:
                    self.renamed |= self.file(number).renamed
                except UNREADABLE:
                    continue
        return (old, new) in self.renamed

    def file(self, number):
        if number not in self.known:
            self.known[number] = File(self.root / self.files[number])
        return self.known[number]

    def resolved(self, number, index):
        """What the server says of a word: places, OUTSIDE or UNCLEAR."""
        file, path, name = self.file(number), self.root / self.files[number], self.file(number).word(index)
        found = set()
        for target, line, column in self.server.targets("definition", path, *file.place(index)):
            other = self.numbers.get(str(target.resolve()))
            if other is None:
                found.add(OUTSIDE)
                continue
            is_module, there = (line, column) == (1, 1), self.file(other)
            called = there.word(there.at.get((line, column), -1))
            # A method that a derive makes has no place, and `into` is not the `from` that it comes down to.
            if not is_module and called != name and not self.is_renamed(called, name):
                found.add(UNCLEAR)
                continue
            found.add((other, line, column))
            if is_module:
                # A module is its file, or where it is declared.
                declared = ((self.numbers.get(str(path.resolve())), *place) for path, *place in self.server.targets("declaration", path, *file.place(index)))
                found.update(place for place in declared if place[0] is not None)
        return found

    def is_foreign(self, number, index):
        """Whether a word that is not resolved leads to a crate of others."""
        file = self.file(number)
        if index in file.uses:
            return self.is_crate(number, *file.uses[index])
        start = file.start(index)
        if start is None or file.is_in_macro(index):
            return False
        first, is_global = start
        if file.word(first - 1) == "." or file.word(first - 1) == "$" or file.word(first) in PATHS:
            return False
        if file.word(first + 1) == "::" and self.is_crate(number, first, is_global):
            return True
        if is_global or first in file.kinds or file.word(first) in {file.words[one] for one in file.kinds} or first != index and self.resolved(number, first) - {OUTSIDE}:
            return False
        # A name of a `use`, where it cannot be something else.
        is_path = file.word(first + 1) in ("::", "!") or file.word(first)[:1].isupper() or file.word(first + 1) == "("
        bound = file.bound.get(file.word(first), set())
        return is_path and file.word(first + 1) != ":" and bool(bound) and all(self.is_crate(number, *file.uses[one]) for one in bound)

    def is_crate(self, number, first, is_global, depth=0):
        """Whether a path starts with a crate from outside of the root."""
        file, name = self.file(number), self.file(number).word(first)
        if name in PATHS or name in self.inside:
            return False
        if name in STANDARD | self.declared(number):
            return is_global or not self.resolved(number, first) - {OUTSIDE}
        bound = file.bound.get(name, set()) - {first}
        return depth < 4 and bool(bound) and not self.resolved(number, first) - {OUTSIDE} and all(self.is_crate(number, *file.uses[one], depth + 1) for one in bound)

    def declared(self, number):
        """The crates that the manifest of a file declares."""
        path = self.root / self.files[number]
        owners = [package for package in self.packages if package.folder in path.parents]
        owner = max(owners, key=lambda package: len(package.folder.parts), default=None)
        return {*owner.needed, *owner.tried, *owner.build} if owner else set()

    def answer(self, number, line, column):
        file = self.file(number)
        index = file.at[line, column]
        own = (number, line, column)
        found = self.resolved(number, index)
        if index in file.kinds:
            # A definition stands for itself, or (in the implementation of a trait) for nothing that can be said.
            return {"targets": [own], "stratum": "local"} if own in found else None
        if not found and self.is_foreign(number, index):
            found = {OUTSIDE}
        found.discard(UNCLEAR)
        if not found:
            return None
        return {"targets": sorted(target for target in found if target != OUTSIDE), "stratum": self.stratum(number, index, found)}

    def stratum(self, number, index, found):
        file = self.file(number)
        if found == {OUTSIDE}:
            return "external"
        if index in file.uses:
            return "import"
        target, *place = max(found)
        there = self.file(target)
        kind = there.kinds.get(there.at.get(tuple(place)), "module" if place == [1, 1] else "")
        if file.is_member(index) or any(self.is_field(*one) for one in found if one != OUTSIDE):
            return "member"
        if kind not in ("", "const", "static"):
            return "function_class"
        return "local" if target == number else "import"

    def is_field(self, number, line, column):
        file = self.file(number)
        return file.kinds.get(file.at.get((line, column))) == "field"


def main():
    root = Path(sys.argv[1]).resolve()
    request = json.load(sys.stdin)
    world = World(root, Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve(), request["files"])
    answers = []
    for at, (number, line, column) in enumerate(request["places"]):
        try:
            answers.append(world.answer(number, line, column))
        except UNREADABLE:
            answers.append(None)
        if at % 200 == 199:
            print(at + 1, file=sys.stderr, flush=True)
    json.dump({"answers": answers}, sys.stdout)
    world.server.process.kill()


def listed():
    """Names and definitions of files: {"names": [[file, line, column, text]], "definitions": [the same]}."""
    root = Path(sys.argv[2])
    names, definitions = [], []
    for number, name in enumerate(json.load(sys.stdin)["files"]):
        try:
            file = File(root / name)
        except UNREADABLE:
            continue
        names += [[number, *file.place(index), file.words[index]] for index in file.names()]
        definitions += [[number, *file.place(index), file.words[index]] for index, kind in sorted(file.kinds.items()) if kind not in ("field", "variant")]
    json.dump({"names": names, "definitions": definitions}, sys.stdout)


if __name__ == "__main__":
    listed() if sys.argv[1] == "list" else main()
