"""Gold of Python: jedi and pyright where both agree.

    python_oracle.py list ROOT < {"files": [paths]}           names and definitions
    python_oracle.py ROOT PYRIGHT-LANGSERVER... < request     what the names at some places mean

The request is {"files": [paths], "places": [[file, line, column]]}, columns from 1 in characters. The answer
has a row for each place: null where the two do not agree on anything, else {"targets": [[file, line, column]]},
empty for a name from outside, and the stratum. File -1 lies outside of the root.
"""

import ast
import json
import keyword
import subprocess
import sys
import tokenize
from pathlib import Path
from urllib.parse import unquote, urlparse

import jedi
from lsp import Server

# What stands for every place outside of the root.
OUTSIDE = (-1, 0, 0)
UNREADABLE = (SyntaxError, UnicodeDecodeError, tokenize.TokenError, ValueError, IndexError)
# A parameter is where it is declared, not where a call gives it a value.
jedi.settings.dynamic_params = False


class File:
    """A file with its names, and what they are part of. Places are line and column from 1, in characters."""

    def __init__(self, path):
        with open(path, "rb") as file:
            words = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.NAME]
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.split("\n")
        place = lambda token: (token.start[0], token.start[1] + 1)  # noqa: E731
        self.names = [(*place(token), token.string) for token in words if not keyword.iskeyword(token.string)]
        pairs = zip(words, words[1:])
        self.definitions = {place(name): name.string for before, name in pairs if before.string in ("def", "class")}
        self.members, self.arguments, self.imports = set(), set(), set()
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Attribute):
                self.members.add((node.end_lineno, self.column(node.end_lineno, node.end_col_offset) - len(node.attr)))
            elif isinstance(node, ast.keyword) and node.arg:
                self.arguments.add((node.lineno, self.column(node.lineno, node.col_offset)))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.update(range(node.lineno, node.end_lineno + 1))

    def column(self, line, byte):
        return len(self.lines[line - 1].encode()[:byte].decode("utf-8", "replace")) + 1


class Pyright(Server):
    def __init__(self, program, root):
        super().__init__(program + ["--stdio"], stderr=subprocess.DEVNULL)
        self.root, self.open = root, set()
        folder = {"uri": root.as_uri(), "name": "root"}
        capabilities = {"workspace": {"configuration": True, "workspaceFolders": True}}
        self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": capabilities})
        self.tell("initialized", {})

    def heed(self, message):
        if "id" in message and "method" in message:
            self.write({"id": message["id"], "result": self.answer(message)})

    @staticmethod
    def answer(message):
        if message["method"] == "workspace/configuration":
            analysis = {"diagnosticMode": "openFilesOnly", "autoSearchPaths": True, "indexing": False}
            return [{"analysis": analysis} if item.get("section") == "python" else analysis if item.get("section") == "python.analysis" else {} for item in message["params"]["items"]]
        return None

    def definition(self, path, file, line, column):
        if path not in self.open:
            for other in list(self.open):
                self.tell("textDocument/didClose", {"textDocument": {"uri": other.as_uri()}})
            self.open = {path}
            document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": file.text}
            self.tell("textDocument/didOpen", {"textDocument": document})
        units = len(file.lines[line - 1][: column - 1].encode("utf-16-le")) // 2
        found = self.ask("textDocument/definition", {"textDocument": {"uri": path.as_uri()}, "position": {"line": line - 1, "character": units}})
        for one in found or []:
            start = (one.get("targetSelectionRange") or one["range"])["start"]
            yield one.get("targetUri") or one["uri"], start["line"] + 1, start["character"]


def main():
    root = Path(sys.argv[1]).resolve()
    pyright = Pyright(sys.argv[2:], root)
    request = json.load(sys.stdin)
    files = request["files"]
    numbers = {str(root / name): number for number, name in enumerate(files)}
    project = jedi.Project(root, added_sys_path=[str(root / "src")])
    known, scripts = {}, {}

    def file_of(number):
        if number not in known:
            known[number] = File(root / files[number])
        return known[number]

    def in_characters(number, line, units):
        """A column of the language server, from 1 in characters."""
        lines = file_of(number).lines
        row = lines[line - 1] if line <= len(lines) else ""
        return len(row.encode("utf-16-le")[: units * 2].decode("utf-16-le", "replace")) + 1

    def of_pyright(file, line, column):
        found = set()
        for uri, row, units in pyright.definition(root / files[file], file_of(file), line, column):
            number = numbers.get(str(Path(unquote(urlparse(uri).path)).resolve()))
            found.add(OUTSIDE if number is None else (number, row, in_characters(number, row, units)))
        return found

    def of_jedi(file, line, column):
        if file not in scripts:
            scripts.clear()
            scripts[file] = jedi.Script(file_of(file).text, path=root / files[file], project=project)
        try:
            names = scripts[file].goto(line, column - 1, follow_imports=True)
        except Exception:  # noqa: BLE001 (an oracle that fails has no opinion)
            return set()
        numbered = [(numbers.get(str(name.module_path.resolve())) if name.module_path else None, name) for name in names]
        # A module is its file, whose first character stands for it.
        return {OUTSIDE if number is None else (number, name.line or 1, (name.column or 0) + 1) for number, name in numbered}

    def stratum(file, line, column, targets):
        here = file_of(file)
        if targets == {OUTSIDE}:
            return "external"
        if line in here.imports:
            return "import"
        if (line, column) in here.members or (line, column) in here.arguments:
            return "member"
        target = max(targets)
        if target[1:] in file_of(target[0]).definitions:
            return "function_class"
        return "local" if target[0] == file else "import"

    answers = []
    for at, (file, line, column) in enumerate(request["places"]):
        try:
            agreed = of_pyright(file, line, column) & of_jedi(file, line, column)
            row = {"targets": sorted(target for target in agreed if target != OUTSIDE), "stratum": stratum(file, line, column, agreed)} if agreed else None
        except UNREADABLE:
            row = None
        answers.append(row)
        if at % 200 == 199:
            print(at + 1, file=sys.stderr, flush=True)
    json.dump({"answers": answers}, sys.stdout)
    pyright.process.kill()


def listed():
    """Names and definitions of files: {"names": [[file, line, column, text]], "definitions": [the same]}."""
    root = Path(sys.argv[2])
    names, definitions = [], []
    for number, name in enumerate(json.load(sys.stdin)["files"]):
        try:
            file = File(root / name)
        except UNREADABLE:
            continue
        names += [[number, *found] for found in file.names]
        definitions += [[number, *place, word] for place, word in sorted(file.definitions.items())]
    json.dump({"names": names, "definitions": definitions}, sys.stdout)


if __name__ == "__main__":
    listed() if sys.argv[1] == "list" else main()
