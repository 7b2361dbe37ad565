"""Symbols and imports of MATLAB and Octave files as MISS_HIT reads them.

Usage: oracle.py --root DIR
Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

A file is asked for in MATLAB and, if it is not valid there, in Octave. A symbol is a class or one of its
members, or a function; a nested function has the function around it as its parent. A method that is
only declared in its class is no symbol: it is defined in a file of its own. A package is local if a
folder of its name, with a plus sign, is below DIR.
"""

import json
import os
import sys

from miss_hit_core import m_ast, m_language
from miss_hit_core.config import Config
from miss_hit_core.errors import Error, Location, Message_Handler
from miss_hit_core.m_lexer import MATLAB_Lexer, Token_Buffer
from miss_hit_core.m_parser import MATLAB_Parser

LANGUAGES = (m_language.MATLAB_Latest_Language, m_language.Octave_Latest_Language)
# The lexer knows these words of Octave, the parser only `end`. They mean nothing else.
ENDS = {
    "end_try_catch", "end_unwind_protect", "endclassdef", "endenumeration", "endevents", "endfor", "endfunction",
    "endif", "endmethods", "endparfor", "endproperties", "endswitch", "endwhile",
}


class Quiet(Message_Handler):
    """Counts errors and prints nothing."""

    def __init__(self):
        super().__init__("debug")

    def emit_message(self, message):
        """Says nothing."""

    def emit_summary(self):
        """Says nothing."""


def parse(text, path):
    """The tree in the first language that the text is valid in; None if there is none."""
    for language in LANGUAGES:
        handler = Quiet()
        handler.register_file(path)
        try:
            config = Config()
            config.language = language()
            lexer = MATLAB_Lexer(config.language, handler, text, path)
            tokens = Token_Buffer(lexer, config)
            for token in tokens.tokens:
                if token.kind == "KEYWORD" and token.value in ENDS:
                    token.value = "end"
            tree = MATLAB_Parser(handler, tokens, config).parse_file()
        except Error:
            continue
        if handler.errors == 0:
            return tree
    return None


class Labels(m_ast.AST_Visitor):
    """Collects symbols and imports, with the scopes around them."""

    def __init__(self, packages):
        self.packages = packages
        self.symbols = []
        self.imports = []
        self.scopes = []
        # A class has its constructor twice.
        self.seen = set()

    def add(self, name, kind, line, first, last):
        """Adds a symbol in the innermost scope."""
        self.symbols.append({
            "name": name, "kind": kind, "line": line, "decl_line": first,
            "end_line": max(last or first, line), "parent": self.scopes[-1][1] if self.scopes else None,
        })

    def visit(self, node, n_parent, relation):
        if id(node) in self.seen:
            return
        self.seen.add(id(node))
        if isinstance(node, m_ast.Class_Definition):
            name = str(node.n_name)
            self.add(name, "class", node.n_name.loc().line, node.t_classdef.location.line, None)
            self.scopes.append((node, name))
        elif isinstance(node, m_ast.Function_Definition):
            self.function(node)
        elif isinstance(node, m_ast.Special_Block) and self.scopes:
            kinds = {"properties": "property", "enumeration": "enum_member", "events": "event"}
            for item in node.l_items if node.kind() in kinds else []:
                found = item if isinstance(item, m_ast.Identifier) else item.n_name
                line = found.loc().line
                self.add(str(found), kinds[node.kind()], line, line, line)
        elif isinstance(node, m_ast.Import_Statement):
            chain = node.get_chain_strings()
            local = chain[0] in self.packages
            self.imports.append({
                "path": ".".join(chain), "names": chain[-1:], "category": "local" if local else "third_party",
                "line": node.loc().line,
            })

    def function(self, node):
        """Adds a function; one in a block of a class is a method."""
        name = str(node.n_sig.n_name)
        method = isinstance(node.n_parent, m_ast.Special_Block)
        kind = "constructor" if node.n_sig.is_constructor else "method" if method else "function"
        end = node.t_end.location.line if node.t_end else None
        self.add(name, kind, node.n_sig.loc().line, node.t_fun.location.line, end)
        self.scopes.append((node, name))

    def visit_end(self, node, n_parent, relation):
        if self.scopes and self.scopes[-1][0] is node:
            self.scopes.pop()


def main():
    """Answers for each path."""
    sys.setrecursionlimit(5000)
    root = sys.argv[2] if sys.argv[1:2] == ["--root"] else "."
    packages = {name[1:] for _, folders, _ in os.walk(root) for name in folders if name.startswith("+")}
    for line in sys.stdin:
        file = line.rstrip("\n")
        if not file:
            continue
        answer = {
            "file": file, "language": "matlab", "oracle": "MISS_HIT 0.9.44",
            "parse_errors": 0, "error": None, "symbols": [], "imports": [],
        }
        path = os.path.join(root, file)
        if not os.path.isfile(path):
            answer["error"] = "no such file"
        else:
            with open(path, encoding="utf-8", errors="replace", newline="") as opened:
                text = opened.read().replace("\r\n", "\n")
            tree = None
            try:
                tree = parse(text, path)
            except Exception:  # the parser gives up with errors of many classes
                pass
            if tree is not None:
                labels = Labels(packages)
                tree.visit(None, labels, "Root")
                answer["symbols"], answer["imports"] = labels.symbols, labels.imports
            elif text.strip():
                answer["parse_errors"] = 1
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
