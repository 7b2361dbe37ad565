"""Gold labels of C and C++ files from clang.

python3 oracle.py --root DIR < paths > labels: reads file paths relative to the root, one a line,
and prints one JSON object a line. The headers of the C and C++ libraries are those that the
ziglang package carries, so the labels do not depend on what is installed on the machine.
"""

import argparse
import json
import os
import re
import sys

import clang.cindex as clang

import regions
from project import HEADERS, LIBRARY, Project

ORACLE = "libclang 18.1.1"
# Keep macros and includes, leave out the bodies of functions, go on after a missing header.
OPTIONS = 0x01 | 0x40 | 0x200

KINDS = {
    "FUNCTION_DECL": "function",
    "FUNCTION_TEMPLATE": "function",
    "CXX_METHOD": "method",
    "CONVERSION_FUNCTION": "method",
    "CONSTRUCTOR": "constructor",
    "DESTRUCTOR": "destructor",
    "STRUCT_DECL": "struct",
    "CLASS_DECL": "class",
    "CLASS_TEMPLATE": "class",
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION": "class",
    "UNION_DECL": "union",
    "ENUM_DECL": "enum",
    "ENUM_CONSTANT_DECL": "enum_member",
    "TYPEDEF_DECL": "typedef",
    "TYPE_ALIAS_DECL": "alias",
    "TYPE_ALIAS_TEMPLATE_DECL": "alias",
    "NAMESPACE": "namespace",
    "FIELD_DECL": "field",
    "VAR_DECL": "variable",
    "MACRO_DEFINITION": "macro",
}
TYPES = {"class", "struct", "union", "enum"}
MEMBERS_OF = {
    "NAMESPACE",
    "CLASS_DECL",
    "STRUCT_DECL",
    "UNION_DECL",
    "ENUM_DECL",
    "CLASS_TEMPLATE",
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION",
    "LINKAGE_SPEC",
    "UNEXPOSED_DECL",
}
# Only these can be told apart by who may link to them; a macro, a field, an enumerator and a
# namespace have no linkage.
LINKED = TYPES | {"function", "method", "constructor", "destructor", "typedef", "alias", "variable"}


class File:
    """One file as clang sees it in one language."""

    def __init__(self, project, name, language, prelude=()):
        self.project = project
        self.path = os.path.join(project.root, name)
        self.language = language
        with open(self.path, "rb") as file:
            self.source = file.read()
        self.symbols = []
        self.imports = []
        # What an expansion declares under a name that is not written in it.
        self.made = {}
        unit = clang.Index.create().parse(
            self.path,
            args=project.arguments(language, prelude),
            unsaved_files=list(project.made.items()),
            options=OPTIONS,
        )
        grave = [one for one in unit.diagnostics if one.severity >= 3]
        self.errors = sum(1 for one in grave if self.is_here(one.location))
        self.missing = sum(1 for one in grave if "file not found" in one.spelling or "not found with" in one.spelling)
        # A header that was read before is left out here by its own guard.
        self.is_included = any(one.include.name == self.path for one in unit.get_includes())
        here = [one for one in unit.cursor.get_children() if self.is_here(one.location)]
        calls = [one for one in here if one.kind.name == "MACRO_INSTANTIATION"]
        self.expansions = regions.Expansions(calls)
        self.walk(here, None)
        made = self.tests()
        self.symbols.sort(key=lambda symbol: symbol.pop("offset"))
        configured = regions.configured(unit, self.path, self.source)
        self.unjudged = regions.unjudged(configured, [[first, last] for _, _, first, last in made])
        self.lines = self.source.count(b"\n") + (not self.source.endswith(b"\n"))

    def tests(self):
        """Labels the tests of googletest, whose full names are `Suite.Name`, as its documentation says: its
        macros make a class `Suite_Name_Test` of their first two arguments. Returns all other expansions
        that declare names which are not written in them."""
        other = []
        for expansion, cursors in self.made.items():
            start, end, line, _ = expansion
            text = self.source[start:end].decode("utf-8", "replace")
            found = re.match(r"\w+\s*\(\s*(\w+)\s*,\s*(\w+)\s*[,)]", text)
            of_test = found and f"{found[1]}_{found[2]}_Test"
            classes = [one for one in cursors if KINDS[one[0].kind.name] == "class" and one[0].spelling == of_test]
            if not classes:
                other.append(expansion)
                continue
            last = max([line] + [one.extent.end.line for one, _ in cursors])
            self.symbols.append(
                {
                    "name": f"{found[1]}.{found[2]}",
                    "kind": "function",
                    "line": line,
                    "decl_line": line,
                    "end_line": last,
                    "parent": classes[0][1],
                    "visibility": None,
                    "exported": None,
                    "offset": start,
                }
            )
        return other

    def is_here(self, location):
        return location.file is not None and location.file.name == self.path

    def walk(self, cursors, parent):
        for child in cursors:
            if not self.is_here(child.location):
                continue
            kind = child.kind.name
            if kind == "INCLUSION_DIRECTIVE":
                self.include(child)
                continue
            name = self.name(child)
            if kind in KINDS and name and self.is_declaration(child):
                self.add(child, KINDS[kind], name, parent)
            if kind in MEMBERS_OF:
                inside = parent
                if name and kind in KINDS:
                    inside = f"{parent}::{name}" if parent else name
                self.walk(child.get_children(), inside)

    @staticmethod
    def name(cursor):
        name = cursor.spelling
        if "(unnamed " in name or "(anonymous " in name:
            return ""
        if cursor.kind.name in ("CONSTRUCTOR", "DESTRUCTOR"):
            name = name.split("<")[0]
        return name

    def is_declaration(self, cursor):
        """False for a type that another declaration only mentions: `struct s *f(void);`."""
        if KINDS[cursor.kind.name] not in TYPES or cursor.is_definition():
            return True
        behind = self.source[cursor.extent.end.offset :].lstrip()
        return behind.startswith((b";", b":")) or cursor.kind.name == "CLASS_TEMPLATE"

    def add(self, cursor, kind, name, parent):
        line, offset = regions.written_at(cursor.location)
        expansion = self.expansions.around(offset)
        if expansion and kind != "macro" and not self.is_written(name, offset):
            self.made.setdefault(expansion, []).append((cursor, parent))
            return
        owner = cursor.semantic_parent
        if owner is not None and cursor.lexical_parent is not None and owner != cursor.lexical_parent:
            parent = self.qualified(owner)
        access = cursor.access_specifier.name.lower()
        member = owner is not None and owner.kind.name in MEMBERS_OF - {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
        shown = member and self.language == "c++" and access in ("public", "protected", "private")
        hidden = shown and access != "public"
        internal = cursor.linkage.name == "INTERNAL"
        self.symbols.append(
            {
                "name": name,
                "kind": kind,
                "line": line,
                "decl_line": min(cursor.extent.start.line or line, line),
                "end_line": max(cursor.extent.end.line, line),
                "parent": parent,
                "visibility": access if shown else None,
                "exported": kind in LINKED and not hidden and not internal,
                "offset": offset,
            }
        )

    def is_written(self, name, offset):
        """Whether a name is the text at a place; of `operator` and its like, the word is enough."""
        word = re.match(r"~|\w+", name)
        here = re.match(rb"~|[\w\x80-\xff]+", self.source[offset : offset + 1000])
        return word is None or here is not None and here[0].decode("utf-8", "replace") == word[0]

    def qualified(self, cursor):
        names = []
        while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
            if cursor.kind.name in KINDS:
                names.append(self.name(cursor))
            cursor = cursor.semantic_parent
        return "::".join(reversed([name for name in names if name])) or None

    def include(self, cursor):
        text = self.source[cursor.extent.start.offset : cursor.extent.end.offset]
        quoted = b'"' in text
        try:
            found = os.path.realpath(cursor.get_included_file().name)
        except (AssertionError, AttributeError, clang.LibclangError):
            found = None
        if found and found.startswith(os.path.realpath(LIBRARY) + os.sep):
            category = "stdlib"
        elif quoted or (found and found.startswith(self.project.root + os.sep)):
            category = "local"
        else:
            category = "third_party"
        self.imports.append(
            {"path": cursor.spelling, "names": [], "category": category, "line": cursor.location.line}
        )


def best(project, name, language):
    """The file by itself, or a header that is not complete by itself as a source of the project reads it."""
    file = File(project, name, language)
    if not file.errors or not name.endswith(HEADERS):
        return file
    for prelude in project.preludes(name):
        other = File(project, name, language, prelude)
        if not other.errors and not other.is_included:
            return other
    return file


def label(project, name):
    if name.endswith(".c"):
        return "c", best(project, name, "c")
    if name.endswith(".h"):
        file = best(project, name, "c")
        if file.errors and project.has_cpp:
            other = best(project, name, "c++")
            if other.errors < file.errors:
                return "cpp", other
        return "c", file
    return "cpp", best(project, name, "c++")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    project = Project(parser.parse_args().root)
    for line in sys.stdin:
        name = line.rstrip("\n")
        if not name:
            continue
        labels = {"file": name, "language": "c", "oracle": ORACLE, "parse_errors": 0, "error": None}
        try:
            language, file = label(project, name)
            labels |= {"language": language, "parse_errors": file.errors}
            labels |= {"missing_headers": file.missing, "lines": file.lines, "unjudged": file.unjudged}
            labels |= {"symbols": file.symbols, "imports": file.imports}
        except (OSError, clang.TranslationUnitLoadError) as error:
            labels["error"] = str(error)
        print(json.dumps(labels), flush=True)


if __name__ == "__main__":
    main()
