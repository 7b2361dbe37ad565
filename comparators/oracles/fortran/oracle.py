"""Symbols and imports of Fortran files as fparser2 reads them, in free and fixed form.

Usage: oracle.py --root DIR
Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

A symbol is a program unit, a procedure, a derived type or an interface block. A module is local
if some file below DIR defines it.
"""

import json
import logging
import os
import re
import sys

from fparser.common.readfortran import FortranFileReader
from fparser.two import Fortran2003 as f2003
from fparser.two.parser import ParserFactory

KINDS = {
    f2003.Module_Stmt: "module",
    f2003.Subroutine_Stmt: "subroutine",
    f2003.Function_Stmt: "function",
    f2003.Program_Stmt: "program",
    f2003.Derived_Type_Stmt: "type",
    f2003.Interface_Stmt: "interface",
}
# Intrinsic modules of Fortran 2018.
INTRINSIC = {"iso_c_binding", "iso_fortran_env", "ieee_arithmetic", "ieee_exceptions", "ieee_features"}
EXTENSIONS = (".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08")
MODULE = re.compile(r"^\s*module\s+(\w+)\s*(?:!.*)?$", re.IGNORECASE | re.MULTILINE)


def project_modules(root):
    """The names of all modules that files below the root define."""
    found = set()
    for folder, _, names in os.walk(root):
        for name in names:
            if name.lower().endswith(EXTENSIONS):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    found.update(match.group(1).lower() for match in MODULE.finditer(file.read()))
    return found


def name_of(statement):
    """The name that a statement gives, as a text; that of an unnamed interface is None."""
    if hasattr(statement, "get_name"):
        return str(statement.get_name())
    return str(statement.items[1])


def span(node):
    """First and last source line of a statement, or nothing."""
    return node.item.span if getattr(node, "item", None) is not None else None


def last_line(block, default):
    """The last line of a block: that of its last statement that knows its place."""
    node = block
    while getattr(node, "content", None):
        node = node.content[-1]
    place = span(node)
    return max(place[1], default) if place else default


def labels(tree, modules):
    """Symbols and imports of a tree, in source order."""
    symbols, imports = [], []
    waiting = [(tree, None)]
    while waiting:
        node, parent = waiting.pop()
        inner = []
        for child in getattr(node, "children", None) or []:
            statement = child.content[0] if getattr(child, "content", None) else None
            place = span(statement) if statement is not None else None
            if type(statement) in KINDS and place:
                name = name_of(statement)
                line = place[0]
                symbols.append({
                    "name": name, "kind": KINDS[type(statement)], "line": line, "decl_line": line,
                    "end_line": last_line(child, line), "parent": parent,
                })
                inner.append((child, f"{parent}.{name}" if parent else name))
            elif isinstance(child, f2003.Use_Stmt):
                imports.append(use(child, modules))
            elif not isinstance(child, (str, tuple, type(None))):
                inner.append((child, parent))
        waiting.extend(reversed(inner))
    symbols.sort(key=lambda symbol: symbol["line"])
    return symbols, [found for found in imports if found is not None]


def use(statement, modules):
    """The import of a `use` statement."""
    place = span(statement)
    if not place:
        return None
    path = str(statement.items[2])
    only = statement.items[4] if len(statement.items) > 4 else None
    names = ["*"]
    if only is not None and "only" in str(statement.items[3]).lower():
        names = [str(item).split("=>")[0].strip() for item in getattr(only, "items", [only])]
    lower = path.lower()
    category = "stdlib" if lower in INTRINSIC else "local" if lower in modules else "unknown"
    return {"path": path, "names": names, "category": category, "line": place[0]}


def main():
    """Answers for each path."""
    logging.disable(logging.CRITICAL)
    sys.setrecursionlimit(5000)
    root = sys.argv[2] if sys.argv[1:2] == ["--root"] else "."
    modules = project_modules(root)
    parser = ParserFactory().create(std="f2008")
    for line in sys.stdin:
        file = line.rstrip("\n")
        if not file:
            continue
        answer = {
            "file": file, "language": "fortran", "oracle": "fparser2 0.2.0",
            "parse_errors": 0, "error": None, "symbols": [], "imports": [],
        }
        path = os.path.join(root, file)
        if not os.path.isfile(path):
            answer["error"] = "no such file"
        else:
            try:
                tree = parser(FortranFileReader(path, ignore_comments=True))
                answer["symbols"], answer["imports"] = labels(tree, modules)
            except Exception:  # the parser has no common error class
                answer["parse_errors"] = 1
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
