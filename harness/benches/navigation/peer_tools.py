"""What peers.py asks: our program, and the tools beside it.

An answer is a list of (what is printed, place or None). A place is file, line and column, from 1; of a column that the
peer does not tell there is 0.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import measure
from mcp_client import Server

PROGRAM = os.environ.get("PARITY", str(measure.ROOT / "target/debug/parity"))
# Seconds that one call may take.
PATIENCE = 120
CTAGS = {"python": "Python", "typescript": "TypeScript", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java", "c": "C", "cpp": "C++"}
# Every kind of definition that the server has a query for in some language.
KINDS = ["functions", "classes", "structs", "interfaces", "enums", "traits", "macros", "templates"]


class Corpus:
    def __init__(self, work, name):
        self.work, self.name, self.language = work, name, measure.LANGUAGES[name]
        self.root, self.files = measure.repository(name), measure.files_of(name)
        self.numbers = {file: number for number, file in enumerate(self.files)}
        self.texts, self.failed = {}, 0

    def lines(self, number):
        if number not in self.texts:
            path = self.root / self.files[number]
            self.texts[number] = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
        return self.texts[number]

    def name_at(self, place):
        """What stands at a place of the gold, without the quotes of a name that is a string."""
        line = self.lines(place[0])[place[1] - 1]
        return re.match(r"[\"'`]?([#~@]?[\w$]+|.)", line[place[2] - 1 :] or " ").group(1)

    def run(self, *command, environment=None, text=None):
        """What a program prints; nothing if it does not end in time, which counts as a failed call."""
        try:
            return subprocess.run([str(word) for word in command], cwd=self.root, input=text, capture_output=True, text=True, errors="replace", env=environment, timeout=PATIENCE, check=False).stdout
        except subprocess.TimeoutExpired:
            self.failed += 1
            return ""

    def located(self, output, pattern):
        """Lines, and the place that each begins with. Errors of a file that our program adds have no file."""
        for line in output.splitlines():
            found = pattern.match(line)
            place = found and [self.numbers.get(found[1].removeprefix("./"), -1), int(found[2]), int(found[3] or 0)]
            yield line, place


class Peer:
    """What a peer cannot answer is None. `read` is the answer that an agent reads to find a definition."""

    definition = references = read = None
    # Kinds of definitions that always fail.
    broken = ()

    def __init__(self, corpus):
        self.corpus = corpus
        self.environment = {**os.environ, "PARITY_CACHE_DIR": str(corpus.work / "peers/cache")}

    def stop(self):
        pass


class Nav(Peer):
    """`parity nav`, as measure.py asks it, but its text."""

    def ask(self, operation, place, *more):
        corpus = self.corpus
        where = [corpus.files[place[0]], "--line", place[1], "--column", place[2]]
        output = corpus.run(PROGRAM, "nav", operation, *where, *more, environment=self.environment)
        return list(corpus.located(output, re.compile(r"(.+?):(\d+):(\d+): ")))

    def definition(self, place, name):
        return self.ask("definition", place)

    read = definition

    def references(self, place, name):
        return self.ask("references", place, "--limit", 1000)


class Tags(Peer):
    """Definitions by name alone: those of the asking file first, then by path."""

    def __init__(self, corpus):
        super().__init__(corpus)
        self.by_name = {}
        for name, text, place in self.listed():
            self.by_name.setdefault(name, []).append((text, place))

    def listed(self):
        return ()

    def definition(self, place, name):
        return sorted(self.by_name.get(name, []), key=lambda one: (one[1][0] != place[0], one[1]))

    read = definition


class OwnTags(Tags):
    """The tags of our program alone, by `parity nav parse` of the files in which the name is."""

    def __init__(self, corpus):
        super().__init__(corpus)
        self.parsed = {}

    def symbols(self, number):
        if number not in self.parsed:
            output = self.corpus.run(PROGRAM, "nav", "parse", self.corpus.files[number], "--json", environment=self.environment)
            self.parsed[number] = json.loads(output).get("symbols", []) if output.startswith("{") else []
        return self.parsed[number]

    def definition(self, place, name):
        if name not in self.by_name:
            files = [number for number in range(len(self.corpus.files)) if any(name in line for line in self.corpus.lines(number))]
            self.by_name[name] = [
                (f"{self.corpus.files[number]}:{one['line']}:{one['column']}: {one['kind']} {name}", [number, one["line"], one["column"]])
                for number in files for one in self.symbols(number) if one["name"] == name
            ]
        return super().definition(place, name)

    read = definition


class Ctags(Tags):
    """A tags file of just the files of the language, whatever they are called. Imported names are no definitions."""

    def listed(self):
        corpus = self.corpus
        options = ["--options=NONE", "--fields=+nK", "--sort=no", "--kinds-Python=-iIx", "--kinds-Go=-P", f"--language-force={CTAGS[corpus.language]}", "-f", "-", "-L", "-"]
        for line in corpus.run("ctags", *options, text="\n".join(corpus.files) + "\n").splitlines():
            name, file, *_ = line.split("\t")
            number = re.search(r"\tline:(\d+)", line)
            if not line.startswith("!_TAG") and number:
                yield name, line, [corpus.numbers[file], int(number[1]), 0]


class Grep(Peer):
    """`grep -nw` over the files of the language. It does not tell a definition from a use."""

    def read(self, place, name):
        return list(self.corpus.located(self.corpus.run("grep", "-HnwF", "--", name, *self.corpus.files), re.compile(r"(.+?):(\d+):()")))

    def references(self, place, name):
        """Every place of the name in a line counts as one answer."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for text, where in self.read(place, name):
            if where and where[0] >= 0:
                for found in word.finditer(self.corpus.lines(where[0])[where[1] - 1]):
                    yield text, [*where[:2], found.start() + 1]


class TreeSitter(Tags):
    """mcp-server-tree-sitter: `get_symbols` of every file, and `find_usage` of the name in the language."""

    def __init__(self, corpus):
        self.server, self.asked, self.kinds, self.broken = None, {}, {}, set()
        # Its table of endings calls every header C.
        self.languages = ["cpp", "c"] if corpus.language == "cpp" else [corpus.language]
        super().__init__(corpus)

    def start(self):
        home = self.corpus.work / "peers/home"
        home.mkdir(parents=True, exist_ok=True)
        program = self.corpus.work / "peers/python/bin/mcp-server-tree-sitter"
        self.server = Server([program], PATIENCE, cwd=home, env={**os.environ, "HOME": str(home)})
        self.server.tool("register_project_tool", path=str(self.corpus.root), name="corpus")

    def call(self, tool, **arguments):
        """The texts of an answer. A server that crashes or hangs is started again, and the call counts as failed."""
        try:
            if self.server is None:
                self.start()
            is_error, texts = self.server.tool(tool, project="corpus", **arguments)
            if not is_error:
                return texts
            self.error = " ".join(texts)
        except (OSError, ValueError):
            self.error = "no answer"
            self.stop()
        self.corpus.failed += 1
        return []

    def stop(self):
        if self.server:
            self.server.stop()
        self.server = None

    def kinds_of(self, file):
        """The kinds that work for files of this ending. One whose query its grammar refuses fails all that are asked with it."""
        ending, failed = Path(file).suffix, self.corpus.failed
        if ending not in self.kinds:
            self.kinds[ending] = [kind for kind in KINDS if self.works(file, kind)]
            self.corpus.failed = failed
        return self.kinds[ending]

    def works(self, file, kind):
        self.error = None
        self.call("get_symbols", file_path=file, symbol_types=[kind])
        if self.error and "No query templates" not in self.error:
            self.broken.add(f"{Path(file).suffix} {kind}")
        return not self.error

    def listed(self):
        for number, file in enumerate(self.corpus.files):
            kinds = self.kinds_of(file)
            for text in self.call("get_symbols", file_path=file, symbol_types=kinds) if kinds else []:
                for one in (one for found in json.loads(text).values() for one in found):
                    yield one["name"], json.dumps(one), [number, one["location"]["start"]["row"] + 1, 0]

    def read(self, place, name):
        """In the order of files and lines: its own differs from run to run."""
        if name not in self.asked:
            texts = [text for language in self.languages for text in self.call("find_usage", symbol=name, language=language)]
            self.asked[name] = sorted(((text, self.place(json.loads(text))) for text in texts), key=lambda one: (one[1], one[0]))
        return self.asked[name]

    def place(self, found):
        number, row = self.corpus.numbers.get(found["file"], -1), found["start"]["row"]
        line = self.corpus.lines(number)[row] if number >= 0 and row < len(self.corpus.lines(number)) else ""
        # It counts columns in bytes.
        column = len(line.encode()[: found["start"]["column"]].decode(errors="replace"))
        return [number, row + 1, column + 1]

    references = read


PEERS = {"parity nav": Nav, "tags alone": OwnTags, "universal-ctags": Ctags, "grep -w": Grep, "mcp-server-tree-sitter": TreeSitter}
