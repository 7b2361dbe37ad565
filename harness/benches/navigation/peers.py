#!/usr/bin/env python3
"""Other tools about the same gold: do they name the definition, and how much is read until it is seen?

    peers.py install WORK              the peers, of locked versions
    peers.py ask WORK CORPUS...        ask every peer about the gold places
    peers.py score WORK SPLIT          the values of a split, with what could not be measured
    peers.py table FILE...             the tables of what `score` wrote

Run it with the Python of the pinned comparator, which has the tokenizer. PARITY names another program.
"""

import hashlib
import json
import os
import queue
import re
import statistics
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "usefulness"))
import measure  # noqa: E402
from score import Tokens  # noqa: E402

PROGRAM = os.environ.get("PARITY", str(measure.ROOT / "target/debug/parity"))
# Seconds that one call may take; lines of a window, and tokens after which a reader gives up.
PATIENCE, WINDOW, MOST_TOKENS = 120, 20, 100_000
READ = ("function_class", "member", "import")
CTAGS = {"python": "Python", "typescript": "TypeScript", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java", "c": "C", "cpp": "C++"}
# Every kind of definition that the server has a query for.
KINDS = ["functions", "classes", "structs", "interfaces", "enums", "traits", "macros", "templates"]


def packages():
    return dict(line.split()[:2] for line in (HERE / "peers.packages.txt").read_text().splitlines() if not line.startswith("#"))


def install(work):
    run = lambda *command: subprocess.run(command, check=True)  # noqa: E731
    if not (work / "peers/python").exists():
        run(sys.executable, "-m", "venv", work / "peers/python")
    run(work / "peers/python/bin/pip", "install", "-q", "--require-hashes", "--no-deps", "-r", HERE / "peers.requirements.txt")
    for name, version in packages().items():
        if installed(name) != version:
            run("apt-get", "install", "-y", "-q", f"{name}={version}")


def installed(name):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return found.stdout


# -------------------------------------------------------------------- peers
#
# An answer is a list of (what is printed, place or None). A place is file, line and column, from 1; of a column
# that the peer does not tell there is 0.


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

    def located(self, output, pattern=re.compile(r"(.+?):(\d+):(\d+)?")):
        """Lines that begin with a file and a line."""
        for line in output.splitlines():
            found = pattern.match(line)
            place = found and [self.numbers.get(found[1].removeprefix("./"), -1), int(found[2]), int(found[3] or 0)]
            yield line, place


class Nav:
    """`parity nav`, as measure.py asks it, but its text."""

    def __init__(self, corpus):
        self.corpus = corpus
        self.environment = {**os.environ, "PARITY_CACHE_DIR": str(corpus.work / "peers/cache")}

    def ask(self, operation, place, *more):
        corpus = self.corpus
        where = [corpus.files[place[0]], "--line", place[1], "--column", place[2]]
        return list(corpus.located(corpus.run(PROGRAM, "nav", operation, *where, *more, environment=self.environment)))

    def definition(self, place, name):
        return self.ask("definition", place)

    def references(self, place, name):
        return self.ask("references", place, "--limit", 1000)


class Tags:
    """A list of definitions of all files: those of the name, the asking file's first, then by path."""

    def __init__(self, corpus):
        self.by_name = {}
        for name, text, place in self.listed(corpus):
            self.by_name.setdefault(name, []).append((text, place))

    def definition(self, place, name):
        return sorted(self.by_name.get(name, []), key=lambda one: (one[1][0] != place[0], one[1]))


class OwnTags(Tags):
    """The tags of our program alone, by `parity nav parse`."""

    def listed(self, corpus):
        environment = {**os.environ, "PARITY_CACHE_DIR": str(corpus.work / "peers/cache")}
        for number, file in enumerate(corpus.files):
            output = corpus.run(PROGRAM, "nav", "parse", file, "--json", environment=environment)
            for one in json.loads(output).get("symbols", []) if output.startswith("{") else []:
                yield one["name"], f"{file}:{one['line']}:{one['column']}: {one['kind']} {one['name']}", [number, one["line"], one["column"]]


class Ctags(Tags):
    """A tags file of just the files of the language, whatever they are called. Imported names are no definitions."""

    def listed(self, corpus):
        options = ["--options=NONE", "--fields=+nK", "--sort=no", "--kinds-Python=-iIx", "--kinds-Go=-P", f"--language-force={CTAGS[corpus.language]}", "-f", "-", "-L", "-"]
        for line in corpus.run("ctags", *options, text="\n".join(corpus.files) + "\n").splitlines():
            name, file, *_ = line.split("\t")
            number = re.search(r"\tline:(\d+)", line)
            if not line.startswith("!_TAG") and number:
                yield name, line, [corpus.numbers[file], int(number[1]), 0]


class Grep:
    """`grep -nw` over the files of the language. It does not tell a definition from a use."""

    def __init__(self, corpus):
        self.corpus = corpus

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
        self.corpus, self.process = corpus, None
        # Its table of endings calls every header C.
        self.languages = ["cpp", "c"] if corpus.language == "cpp" else [corpus.language]
        self.asked = {}
        super().__init__(corpus)

    def start(self):
        home = self.corpus.work / "peers/home"
        home.mkdir(parents=True, exist_ok=True)
        program = self.corpus.work / "peers/python/bin/mcp-server-tree-sitter"
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=home, env={**os.environ, "HOME": str(home)})
        self.answers, self.number = queue.Queue(), 0
        output, answers = self.process.stdout, self.answers
        threading.Thread(target=lambda: [answers.put(line) for line in output] and None or answers.put(None), daemon=True).start()
        self.rpc("initialize", protocolVersion="2024-11-05", capabilities={}, clientInfo={"name": "peers", "version": "1"})
        self.process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        self.rpc("tools/call", name="register_project_tool", arguments={"path": str(self.corpus.root), "name": "corpus"})

    def rpc(self, method, **parameters):
        self.number += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.answers.get(timeout=PATIENCE)
            if line is None:
                raise OSError("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer.get("result", {})

    def call(self, tool, **arguments):
        """The texts of an answer. A server that crashes or hangs is started again, and the call counts as failed."""
        try:
            if self.process is None:
                self.start()
            result = self.rpc("tools/call", name=tool, arguments={"project": "corpus", **arguments})
            if not result.get("isError", True):
                return [one["text"] for one in result.get("content", [])]
        except (OSError, ValueError, queue.Empty):
            self.stop()
        self.corpus.failed += 1
        return []

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def listed(self, corpus):
        for number, file in enumerate(corpus.files):
            for text in self.call("get_symbols", file_path=file, symbol_types=KINDS):
                for one in (one for found in json.loads(text).values() for one in found):
                    yield one["name"], json.dumps(one), [number, one["location"]["start"]["row"] + 1, 0]

    def read(self, place, name):
        if name not in self.asked:
            self.asked[name] = [text for language in self.languages for text in self.call("find_usage", symbol=name, language=language)]
        for text in self.asked[name]:
            one = json.loads(text)
            number, row = self.corpus.numbers.get(one["file"], -1), one["start"]["row"]
            line = self.corpus.lines(number)[row] if number >= 0 and row < len(self.corpus.lines(number)) else ""
            # It counts columns in bytes.
            column = len(line.encode()[: one["start"]["column"]].decode(errors="replace"))
            yield text, [number, row + 1, column + 1]

    references = read


PEERS = {"parity nav": Nav, "tags alone": OwnTags, "universal-ctags": Ctags, "grep -w": Grep, "mcp-server-tree-sitter": TreeSitter}


# ---------------------------------------------------------------------- ask


def ask(work, name):
    corpus, tokens = Corpus(work, name), Tokens()
    table = json.loads((HERE / f"gold/{name}.json").read_text())
    if hashlib.sha256("\0".join(corpus.files).encode()).hexdigest() != table["files"]:
        raise SystemExit(f"{name}: the gold is of other files")
    answers = {}
    for title, kind in PEERS.items():
        corpus.failed = 0
        peer, answers[title] = kind(corpus), {}
        read = getattr(peer, "read", None) or peer.definition
        for stratum in measure.STRATA:
            rows = answers[title][stratum] = []
            for *place, targets in table[stratum]:
                text, answer = corpus.name_at(place), {}
                defined = list(peer.definition(place, text)) if hasattr(peer, "definition") else None
                if defined is not None:
                    answer["entries"] = [where for _, where in defined if where]
                if stratum in READ:
                    printed = defined if read == getattr(peer, "definition", None) else list(read(place, text))
                    answer["named"], answer["shown"] = seen(corpus, tokens, printed, targets)
                rows.append(answer)
        if hasattr(peer, "references"):
            answers[title]["references"] = [[where for _, where in peer.references(row[:3], corpus.name_at(row)) if where] for row in table["references"]]
        answers[title]["failed"] = corpus.failed
        getattr(peer, "stop", lambda: None)()
    (work / f"peers/{name}.answers.json").write_text(json.dumps(answers))
    print(name, "asked", {title: one["failed"] for title, one in answers.items() if one["failed"]}, flush=True)


def seen(corpus, tokens, printed, targets):
    """Tokens until a line of the answer names a target, and until a line that is read shows it."""
    gold = {tuple(target[:2]) for target in targets}
    at = next((number for number, (_, where) in enumerate(printed) if where and tuple(where[:2]) in gold), None)
    named = None if at is None else counted(tokens, [text for text, _ in printed[: at + 1]])
    texts, read = [text for text, _ in printed], set()
    size = sum(map(len, texts))
    for _, where in printed:
        # Nobody reads a place twice, or on for ever.
        if where and where[0] >= 0 and tuple(where[:2]) not in read and size < 10 * MOST_TOKENS:
            file, line = where[:2]
            lines = corpus.lines(file)
            first = max(1, line - WINDOW // 2)
            window = [number for number in range(first, min(first + WINDOW, len(lines) + 1)) if (file, number) not in read]
            texts += [f"{number}\t{lines[number - 1]}" for number in window]
            size += sum(len(lines[number - 1]) for number in window)
            read |= {(file, number) for number in window}
            if gold & read:
                return named, counted(tokens, texts)
    return named, None


def counted(tokens, texts):
    text = "\n".join(texts)
    count = tokens.count(text) if len(text) < 10 * MOST_TOKENS else MOST_TOKENS + 1
    return count if count <= MOST_TOKENS else None


# -------------------------------------------------------------------- score


def with_columns(entries, targets):
    """A place without a column is the one of the gold, if that is in its line."""
    of_line = {tuple(target[:2]): target for target in targets}
    return [one if one[2] else of_line.get(tuple(one[:2]), one) for one in entries]


def values_of(table, answers):
    """Rows of (metric, value), by the rule of measure.py."""
    can_define, can_refer = "entries" in answers["local"][0], "references" in answers
    filled = {"references": answers.get("references", [[] for _ in table["references"]])}
    for stratum in measure.STRATA:
        filled[stratum] = [{"entries": with_columns(one.get("entries", []), row[3]), "resolution": "name_match"} for one, row in zip(answers[stratum], table[stratum], strict=True)]
    for row in measure.scored("", table, filled):
        if can_refer if row["metric"].startswith("references") else can_define and row["metric"].endswith((": among", ": first", ": invented")):
            yield row["metric"], row["value"]
    for stratum in READ:
        for one in answers[stratum]:
            for how in ("named", "shown"):
                yield f"tokens until {how}", one[how]


def score(work, split):
    found, failed, corpora = {}, {}, []
    for corpus in measure.SPLITS[split]:
        path = work / f"peers/{corpus}.answers.json"
        if not path.exists():
            continue
        corpora.append(corpus)
        table = json.loads((HERE / f"gold/{corpus}.json").read_text())
        for peer, answers in json.loads(path.read_text()).items():
            failed[peer] = failed.get(peer, 0) + answers["failed"]
            for metric, value in values_of(table, answers):
                for language in (table["language"], "all"):
                    found.setdefault((language, peer, metric), []).append(value)
    rows = []
    for (language, peer, metric), values in sorted(found.items()):
        row = {"language": language, "peer": peer, "metric": metric, "n": len(values)}
        seed = f"{split} {language} {peer} {metric}"
        if metric.startswith("tokens"):
            rows.append({**row, **of_tokens(values, seed)})
        else:
            low, high = measure.interval(values, seed)
            rows.append({**row, "value": round(statistics.fmean(values), 4), "low": low, "high": high})
    missing = [corpus for corpus in measure.SPLITS[split] if corpus not in corpora]
    table = {"split": split, "corpora": corpora, "not asked": missing, "peers": status(work), "failed calls": failed, "rows": rows}
    (work / f"peers.{split}.json").write_text(json.dumps(table, indent=1) + "\n")
    print(tables(table))


def of_tokens(values, seed):
    """Shares and quantiles; a place that is never seen is beyond every number, and null as a median."""
    known = sorted(value for value in values if value is not None)
    low, high = measure.interval([float(value is not None) for value in values], seed)
    at = lambda share, count: int(share * (count - 1) + 0.5)  # noqa: E731
    all_values = known + [None] * (len(values) - len(known))
    return {
        "seen": round(len(known) / len(values), 4), "low": low, "high": high,
        "median of seen": known[at(0.5, len(known))] if known else None,
        "90th percentile of seen": known[at(0.9, len(known))] if known else None,
        "median": all_values[at(0.5, len(values))],
    }


def status(work):
    """The version of each peer, and why one could not be asked."""
    locked = dict(re.findall(r"^([\w-]+)==(\S+)", (HERE / "peers.requirements.txt").read_text(), re.MULTILINE))
    first = lambda *command: subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout.split("\n")[0]  # noqa: E731
    home = {**os.environ, "HOME": str(work / "peers/home")}
    started = subprocess.run([work / "peers/python/bin/codebase-memory-mcp", "--version"], capture_output=True, env=home, timeout=PATIENCE, check=False)
    memory = "starts, and is not asked yet" if started.returncode == 0 else "not measured: its package has no program, and the download of one at the first start failed"
    return {
        "parity nav": first(PROGRAM, "--version"), "tags alone": "the same", "universal-ctags": f"{installed('universal-ctags')} (Debian)", "grep -w": first("grep", "--version"),
        "mcp-server-tree-sitter": locked["mcp-server-tree-sitter"], "codebase-memory-mcp": f"{locked['codebase-memory-mcp']}: {memory}",
    }


# -------------------------------------------------------------------- table


def tables(table):
    rows = {(row["language"], row["peer"], row["metric"]): row for row in table["rows"]}
    peers, empty = list(table["peers"]), "–"
    reached = lambda row: f"{row['value']:.2f} ({row['low']:.2f}–{row['high']:.2f})" if row else empty  # noqa: E731
    number = lambda value: empty if value is None else f"{value:,}"  # noqa: E731
    metrics = [f"{stratum}: {what}" for stratum in measure.STRATA[:4] for what in ("among", "first")] + ["external: invented", "references: recall", "references: precision"]
    lines = ["| value, all languages | " + " | ".join(peers) + " |", "|---" * (len(peers) + 1) + "|"]
    lines += [f"| {metric} | " + " | ".join(reached(rows.get(("all", peer, metric))) for peer in peers) + " |" for metric in metrics]
    languages = [language for language in CTAGS if any(row["language"] == language for row in table["rows"])]
    for metric in ("function_class: first", "member: first", "import: first"):
        lines += ["", f"| {metric} | " + " | ".join(languages) + " |", "|---" * (len(languages) + 1) + "|"]
        lines += [f"| {peer} | " + " | ".join(reached(rows.get((language, peer, metric))) for language in languages) + " |" for peer in peers if ("all", peer, metric) in rows]
    lines += ["", "| tokens, all languages | places | seen | median of seen | 90th percentile of seen | median, never seen as infinite |", "|---|---|---|---|---|---|"]
    for how in ("named", "shown"):
        for peer in peers:
            row = rows.get(("all", peer, f"tokens until {how}"))
            if row:
                columns = [row["n"], f"{row['seen']:.2f} ({row['low']:.2f}–{row['high']:.2f})", number(row["median of seen"]), number(row["90th percentile of seen"]), "∞" if row["median"] is None else number(row["median"])]
                lines.append(f"| {how}: {peer} | " + " | ".join(map(str, columns)) + " |")
    return "\n".join(lines)


def main():
    command, *words = sys.argv[1:]
    if command == "table":
        for path in words:
            print(tables(json.loads(Path(path).read_text())))
        return
    work = Path(words[0]).resolve()
    (work / "peers").mkdir(parents=True, exist_ok=True)
    if command == "install":
        install(work)
    elif command == "ask":
        for corpus in words[1:]:
            ask(work, corpus)
    elif command == "score":
        score(work, words[1])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
