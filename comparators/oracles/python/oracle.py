"""Gold symbols and imports of Python files, as CPython's own parser sees them.

`oracle.py --root DIR` reads file names relative to DIR from standard input, one a line, and
prints one JSON object a line. A file that CPython rejects has `error` and no symbols.

Symbols are functions and classes at any depth, and the names that a module or a class assigns in
its own body. A module's body goes on below its `if` and `try`, whichever branch it takes, but not
below `if __name__ == "__main__"`, where the module is no module, nor below loops. A name is exported if it is not private by its
underscore and not inside a function; at the top of a module with a literal `__all__`, that list
decides. An import is local if it is relative or names a top-level module of the root, or of the
root's `src` or `lib`.
"""

import argparse
import ast
import json
import pathlib
import sys
import warnings

ORACLE = "CPython {}.{} ast".format(*sys.version_info[:2])


def local_names(root):
    """Top-level modules and packages of a project."""
    names = set()
    for base in (root, root / "src", root / "lib"):
        if not base.is_dir():
            continue
        for entry in base.iterdir():
            if entry.is_dir():
                if any(entry.glob("*.py")) or any(entry.glob("*.pyi")):
                    names.add(entry.name)
            elif entry.suffix in (".py", ".pyi"):
                names.add(entry.stem)
    return names


def declared_exports(module):
    """The names in the last literal `__all__`, or None."""
    names = None
    for statement in module.body:
        if not isinstance(statement, ast.Assign):
            continue
        targets = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        if "__all__" in targets:
            try:
                names = set(ast.literal_eval(statement.value))
            except (ValueError, TypeError, SyntaxError):
                continue
    return names


TRIES = tuple(getattr(ast, name) for name in ("Try", "TryStar") if hasattr(ast, name))


def is_main_guard(node):
    """Whether a statement is `if __name__ == "__main__"`."""
    test = getattr(node, "test", None)
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


class Reader:
    """Collects the symbols and imports of one module."""

    def __init__(self, module, local):
        self.exports = declared_exports(module)
        self.local = local
        self.symbols = []
        self.imports = []
        # A stack instead of recursion: generated files nest deeply.
        pending = [(module, None, False, True)]
        while pending:
            pending.extend(reversed(self.children(*pending.pop())))

    def children(self, node, parent, in_function, of_module):
        """Looks at the children of a node and returns those to look into, with their scope.

        `of_module` says whether the node's statements are the module's own.
        """
        below = []
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                is_class = isinstance(child, ast.ClassDef)
                member = isinstance(node, ast.ClassDef)
                kind = "class" if is_class else "method" if member else "function"
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                exported = self.is_public(child.name, parent) and not in_function
                self.symbol(child.name, kind, child, first, parent, exported)
                name = child.name if parent is None else f"{parent}.{child.name}"
                below.append((child, name, in_function or not is_class, False))
            elif isinstance(child, (ast.Assign, ast.AnnAssign)) and (
                of_module or isinstance(node, ast.ClassDef)
            ):
                self.assignment(child, parent)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    self.imported(alias.name, [], child.lineno)
            elif isinstance(child, ast.ImportFrom):
                path = "." * child.level + (child.module or "")
                self.imported(path, [alias.name for alias in child.names], child.lineno)
            else:
                goes_on = isinstance(child, (ast.If, *TRIES, ast.ExceptHandler))
                own = of_module and goes_on and not is_main_guard(child)
                below.append((child, parent, in_function, own))
        return below

    def assignment(self, statement, parent):
        """The names that an assignment binds."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    exported = self.is_public(name.id, parent)
                    self.symbol(name.id, "variable", name, statement.lineno, parent, exported)
                    self.symbols[-1]["end_line"] = statement.end_lineno

    def symbol(self, name, kind, node, first_line, parent, exported):
        """Adds one symbol."""
        self.symbols.append(
            {
                "name": name,
                "kind": kind,
                "line": node.lineno,
                "decl_line": first_line,
                "end_line": node.end_lineno,
                "parent": parent,
                "visibility": None,
                "exported": exported,
            }
        )

    def imported(self, path, names, line):
        """Adds one import."""
        first = path.split(".")[0]
        if not first or first in self.local:
            category = "local"
        elif first in sys.stdlib_module_names:
            category = "stdlib"
        else:
            category = "third_party"
        self.imports.append({"path": path, "names": names, "category": category, "line": line})

    def is_public(self, name, parent):
        """Whether a name is meant for users."""
        if parent is None and self.exports is not None:
            return name in self.exports
        return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def explore(root, name, local):
    """The gold of one file."""
    gold = {
        "file": name,
        "language": "python",
        "oracle": ORACLE,
        "parse_errors": 0,
        "error": None,
        "symbols": [],
        "imports": [],
    }
    try:
        reader = Reader(ast.parse((root / name).read_bytes(), name), local)
        gold["symbols"] = sorted(reader.symbols, key=lambda symbol: symbol["line"])
        gold["imports"] = sorted(reader.imports, key=lambda imported: imported["line"])
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
        gold["parse_errors"] = 1
        gold["error"] = f"{type(error).__name__}: {error}"
    return gold


def main():
    """Reads names, prints gold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", required=True, type=pathlib.Path)
    root = parser.parse_args().root
    warnings.simplefilter("ignore")
    local = local_names(root)
    for line in sys.stdin:
        name = line.rstrip("\r\n")
        if name:
            print(json.dumps(explore(root, name, local)), flush=True)


if __name__ == "__main__":
    main()
