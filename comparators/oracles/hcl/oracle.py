"""Symbols and imports of HCL files as python-hcl2's grammar reads them.

Usage: oracle.py --root DIR
Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

A symbol is a block or an attribute at the top of a file; a block is named by its labels, joined by
dots, or by its type if it has none. What a block `module` has as its source is an import.
"""

import json
import os
import sys

import hcl2
from lark import Token, Tree


def text_of(node):
    """The text of an identifier or of a string without its quotes."""
    tokens = node.scan_values(lambda value: isinstance(value, Token))
    return "".join(str(token) for token in tokens if token.type != "DBLQUOTE").strip()


def trees(node, *kinds):
    """The children that are trees of some kinds."""
    return [child for child in node.children if isinstance(child, Tree) and child.data in kinds]


def body_of(tree):
    """The body that a file or a block has."""
    return trees(tree, "body")[0]


def block(node):
    """The symbol of a block, and the import that it may be."""
    words = [text_of(child) for child in trees(node, "identifier", "string")]
    kind, labels = words[0], words[1:]
    symbol = {"name": ".".join(labels) or kind, "kind": "block"}
    source = None
    if kind == "module":
        for attribute in trees(body_of(node), "attribute"):
            key, value = [child for child in attribute.children if isinstance(child, Tree)][:2]
            if text_of(key) == "source":
                path = text_of(value)
                source = {
                    "path": path, "names": [symbol["name"]],
                    "category": "local" if path.startswith(".") else "third_party",
                    "line": attribute.meta.line,
                }
    return symbol, source


def labels(tree):
    """Symbols and imports of a file."""
    symbols, imports = [], []
    for node in trees(body_of(tree), "block", "attribute"):
        if node.data == "block":
            symbol, source = block(node)
            imports.extend([source] if source else [])
        else:
            symbol = {"name": text_of(trees(node, "identifier")[0]), "kind": "key"}
        line = node.meta.line
        symbols.append({**symbol, "line": line, "decl_line": line, "end_line": max(line, node.meta.end_line), "parent": None})
    return symbols, imports


def main():
    """Answers for each path."""
    root = sys.argv[2] if sys.argv[1:2] == ["--root"] else "."
    for line in sys.stdin:
        file = line.rstrip("\n")
        if not file:
            continue
        answer = {
            "file": file, "language": "hcl", "oracle": "python-hcl2 8.1.4",
            "parse_errors": 0, "error": None, "symbols": [], "imports": [],
        }
        try:
            with open(os.path.join(root, file), encoding="utf-8") as source:
                text = source.read()
        except (OSError, UnicodeDecodeError) as error:
            answer["error"] = str(error)
        else:
            try:
                answer["symbols"], answer["imports"] = labels(hcl2.parses_to_tree(text))
            except Exception:  # the grammar's errors have no common class
                answer["parse_errors"] = 1
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
