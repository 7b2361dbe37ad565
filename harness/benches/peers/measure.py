#!/usr/bin/env python3
"""Parity's server beside other servers of repository maps: tools, answers, freshness, memory.

    measure.py install WORK                    the other servers, of locked versions
    measure.py measure WORK PARITY REPORT      ask all of them in turn; write REPORT.json and REPORT.md

`measure` needs a Python that has tiktoken and its vocabulary: the comparator's. PARITY is the program. Repositories are
those that `parity run` has fetched. A server gets a home, a cache and a folder for temporary files of its own, and
none of the user's variables.
"""

import json
import os
import platform
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CACHE = Path(os.environ.get("PARITY_CACHE_DIR", Path.home() / ".cache/parity"))
PLAN = tomllib.loads((HERE / "peers.toml").read_text())
RUNS = PLAN["runs"]
GREETING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
GRAMMARS = ("javascript", "python", "rust")
PAUSE_S = 0.02


class Failed(Exception):
    """A server did not start, or did not answer."""


# ------------------------------------------------------------------- install


def install(work):
    def run(*command, **more):
        subprocess.run([str(word) for word in command], check=True, **more)

    work.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", work / "python")
    run(work / "python/bin/pip", "install", "-q", "--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", HERE / "requirements.txt")
    for name in ("package.json", "package-lock.json"):
        (work / name).write_bytes((HERE / name).read_bytes())
    run("npm", "ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent", cwd=work)
    processor = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
    (work / "node").unlink(missing_ok=True)
    (work / "node").symlink_to(f"node_modules/node-linux-{processor}/bin/node")
    (work / "grammars").mkdir(exist_ok=True)
    for name in GRAMMARS:
        source = work / f"node_modules/tree-sitter-{name}/src"
        target = work / f"grammars/libtree_sitter_{name}.so"
        run("cc", "-O2", "-shared", "-fPIC", "-I", source, source / "parser.c", source / "scanner.c", "-o", target)


# ------------------------------------------------------------------- a server and its client


class Server:
    """A running server and its client, with a home that is empty at first."""

    def __init__(self, peer, root, names):
        self.peer, self.names, self.number = peer, {**names, "root": str(root)}, 0
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        home = self.home.name
        (Path(home) / "tmp").mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": f"{home}/tmp", "LC_ALL": "C.UTF-8", "PARITY_CACHE_DIR": f"{home}/.cache/parity"}
        environment |= {name: self.filled(value) for name, value in peer.get("environment", {}).items()}
        self.errors = open(f"{home}/errors", "w+")
        command = [self.filled(word) for word in peer["start"]]
        try:
            self.process = subprocess.Popen(command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        except OSError as error:
            raise Failed(str(error)) from error
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def filled(self, value):
        """A value of the plan with its placeholders filled in; one that is a placeholder alone keeps its type."""
        if not isinstance(value, str):
            return value
        if value[1:-1] in self.names and value == f"{{{value[1:-1]}}}":
            return self.names[value[1:-1]]
        return re.sub(r"\{(\w+)\}", lambda found: str(self.names.get(found[1], found[0])), value)

    def say(self, message):
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failed(self.last_words()) from error

    def ask(self, method, params):
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        end = time.monotonic() + RUNS["deadline_s"]
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no answer within {RUNS['deadline_s']} s") from None
            if line is None:
                raise Failed(self.last_words())
            try:
                answer = json.loads(line)
            except ValueError:
                raise Failed(f"not a message: {line[:100]}") from None
            if answer.get("id") == self.number and "method" not in answer:
                if "error" in answer:
                    raise Failed(answer["error"]["message"])
                return answer["result"]

    def wait(self):
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def last_words(self):
        self.wait()
        self.errors.seek(0)
        said = self.errors.read().strip().splitlines()
        return said[-1] if said else f"ended with {self.process.returncode} and no message"

    def greet(self):
        self.ask("initialize", GREETING)
        self.say({"method": "notifications/initialized"})

    def call(self, calls, tokens):
        """The text that calls, in turn, answer to a model."""
        text = ""
        for call in calls:
            self.names["tokens"] = tokens
            arguments = {name: self.filled(value) for name, value in call["arguments"].items()}
            result = self.ask("tools/call", {"name": call["tool"], "arguments": arguments})
            said = "\n".join(part.get("text", "") for part in result["content"])
            if result.get("isError"):
                raise Failed(said)
            taken = re.search(self.peer.get("take", r"(?!)"), said)
            if taken:
                self.names["taken"] = taken[1]
            text += said
        return text

    def map(self):
        return self.call(self.peer["map"], PLAN["map"]["tokens"])

    def end(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass  # It has ended already.
        self.wait()
        self.errors.close()
        self.home.cleanup()


def timed(work):
    """Seconds that something took, and what it returned."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


# ------------------------------------------------------------------- what is measured


def listing(peer, root, names):
    """Seconds from the start of a server to its list of tools, and the list."""
    servers = []

    def work():
        servers.append(Server(peer, root, names))
        servers[0].greet()
        return servers[0].ask("tools/list", {})["tools"]

    try:
        return timed(work)
    finally:
        for server in servers:
            server.end()


def first(peer, root, names):
    """A server that was just asked for the first time, seconds until its answer, and the answer."""
    server = Server(peer, root, names)
    try:
        server.greet()
        return server, *timed(server.map)
    except Failed:
        server.end()
        raise


def processes(top):
    """A process and all that it has started, and those have."""
    found = [top]
    for at in found:
        try:
            for task in Path(f"/proc/{at}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def peak_mb(process):
    """The most memory that a process has had, in megabytes; 0 if it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        return int(found[1]) / 1000 if found else 0.0
    except OSError:
        return 0.0


def memory(peer, root, names):
    """Megabytes of a server that answers twice: of itself, and together with the processes beside it."""
    server = Server(peer, root, names)
    together, is_over = [0.0], threading.Event()

    def watch():
        while not is_over.wait(PAUSE_S):
            together.append(sum(map(peak_mb, processes(server.process.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        server.greet()
        server.map()
        server.map()
        return peak_mb(server.process.pid), max(together)
    finally:
        is_over.set()
        watcher.join()
        server.end()


def shown(text):
    """Which of the two names stand in a text."""
    names = (PLAN["freshness"]["old"], PLAN["freshness"]["new"])
    return [name for name in names if re.search(rf"\b{name}\b", text)]


def freshness(peer, root, names):
    """What is shown on a branch, at once after a switch to another, and at once after the switch back."""
    rule = PLAN["freshness"]
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "core.hooksPath=/dev/null"]

        def run(*words):
            return subprocess.run([*git, *words], check=True, capture_output=True, text=True).stdout

        subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(root), folder], check=True, capture_output=True)
        run("switch", "-q", "-c", "before")
        run("switch", "-q", "-c", "after")
        for name in run("grep", "-lw", rule["old"]).splitlines():
            path = Path(folder) / name
            path.write_text(re.sub(rf"\b{rule['old']}\b", rule["new"], path.read_text()))
        run("commit", "-q", "-a", "-m", "rename")
        run("switch", "-q", "before")
        server = Server(peer, folder, names)
        try:
            server.greet()
            calls = peer["map"] + peer.get("then", [])
            found = {"before": shown(server.call(calls, rule["tokens"]))}
            for moment, branch in (("switched", "after"), ("back", "before")):
                run("switch", "-q", branch)
                if moment == "switched" and "then" in peer:
                    found["kept"] = shown(server.call(peer["then"], rule["tokens"]))
                seconds, text = timed(lambda: server.call(calls, rule["tokens"]))
                found |= {moment: shown(text), f"{moment}_s": seconds}
        finally:
            server.end()
    right = {"before": [rule["old"]], "switched": [rule["new"]], "back": [rule["old"]]}
    found["is_fresh"] = all(found[moment] == names for moment, names in right.items())
    return found


# ------------------------------------------------------------------- a run


class Tokens:
    """Counts as cl100k_base does, with the vocabulary that the comparator is installed with."""

    def __init__(self):
        expected = (ROOT / "comparators/aider/comparator.toml").read_text()
        name = re.search(r'data_file = "(\w+)"', expected)[1]
        found = [path for folder in sys.path for path in Path(folder).glob(f"litellm/**/{name}")]
        os.environ["TIKTOKEN_CACHE_DIR"] = str(found[0].parent)
        import tiktoken

        self.encoding = tiktoken.get_encoding("cl100k_base")

    def count(self, text):
        return len(self.encoding.encode(text, disallowed_special=()))


def named(root, text):
    """How many files of a repository stand in a text by their paths."""
    tracked = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines()
    # Text within JSON has its line breaks and quotation marks escaped.
    return len(set(tracked) & set(re.split(r'[\s",:\\]+', text.replace("\\n", "\n"))))


def repository(corpus):
    """The folder of a corpus in the cache."""
    named = re.compile(re.escape(corpus) + r"-[0-9a-f]{12}")
    return next(path for path in sorted((CACHE / "repos").glob(f"{corpus}-*")) if named.fullmatch(path.name))


def described(tools, tokens):
    """What a list of tools costs a model."""
    parts = [[tool["name"], tool.get("description", ""), json.dumps(tool["inputSchema"], ensure_ascii=False)] for tool in tools]
    return {
        "tools": [tool["name"] for tool in tools],
        "described_tokens": sum(tokens.count(part) for tool in parts for part in tool),
        "listed_tokens": tokens.count(json.dumps(tools, ensure_ascii=False)),
    }


def measured(corpus, names, tokens):
    """The rows of all servers on a corpus. They are asked in turn, so that what else the machine does falls on all."""
    root = repository(corpus)
    rows = {peer["name"]: {"server": peer["name"], "corpus": corpus, "failed": {}} for peer in PLAN["server"]}

    def each(what, work):
        for peer in PLAN["server"]:
            row = rows[peer["name"]]
            if what not in row["failed"]:
                try:
                    work(peer, row)
                except Failed as failure:
                    row["failed"][what] = str(failure).strip()[:300]

    def list_tools(peer, row):
        seconds, tools = listing(peer, root, names)
        row.setdefault("list_s", []).append(seconds)
        row.update(described(tools, tokens))

    servers = {}

    def ask_first(peer, row):
        if peer["name"] in servers:
            servers.pop(peer["name"]).end()
        servers[peer["name"]], seconds, text = first(peer, root, names)
        row.setdefault("first_s", []).append(seconds)
        row |= {"answer_tokens": tokens.count(text), "files_named": named(root, text)}

    def ask_again(peer, row):
        if peer["name"] in servers:
            row.setdefault("warm_s", []).append(timed(servers[peer["name"]].map)[0])

    def read_all(peer, row):
        if "then" in peer and peer["name"] in servers:
            row["text_tokens"] = tokens.count(servers[peer["name"]].call(peer["then"], PLAN["map"]["tokens"]))

    def remember(peer, row):
        row["server_mb"], row["all_mb"] = memory(peer, root, names)

    def switch(peer, row):
        row["freshness"] = freshness(peer, root, names)

    for _ in range(RUNS["list"]):
        each("list", list_tools)
    for _ in range(RUNS["first"]):
        each("first answer", ask_first)
    for _ in range(RUNS["warm"]):
        each("warm answer", ask_again)
    each("text", read_all)
    for server in servers.values():
        server.end()
    each("memory", remember)
    if corpus == PLAN["freshness"]["corpus"]:
        each("freshness", switch)
    for row in rows.values():
        for name in ("list_s", "first_s", "warm_s"):
            row[name] = statistics.median(row[name]) if name in row else None
        print(json.dumps(row), flush=True)
    return list(rows.values())


def cell(row, name, form, unit=""):
    value = row.get(name)
    return "failed" if value is None else format(value, form) + unit


def names_in(names):
    return ", ".join(f"`{name}`" for name in names) or "neither"


def page(found):
    """The report for people."""
    rule = PLAN["freshness"]
    servers = {peer["name"]: peer for peer in PLAN["server"]}
    lines = [
        "# Parity's server beside others",
        "",
        "Written by `harness/benches/peers/measure.py`; its numbers are those of [peers.json](peers.json). One run, in which all",
        f"servers were asked in turn, on {found['processors']} processors, whose load average was {found['load_before']:.1f} before and {found['load_after']:.1f} after. Times",
        "are medians and include everything from the request to the last byte of the answer. Tokens are those of cl100k_base.",
        "",
        "| server | version | what was asked |",
        "|---|---|---|",
    ]
    for peer in PLAN["server"]:
        arguments = [json.dumps(call["arguments"]).replace('"{tokens}"', str(PLAN["map"]["tokens"])) for call in peer["map"]]
        calls = ", then ".join(f"`{call['tool']}` `{given}`" for call, given in zip(peer["map"], arguments))
        lines.append(f"| {peer['name']} | {peer['version']} | {calls} |")
    lines += [
        "",
        "`repomix` has no map and no budget: its answer holds sizes and an identifier of the pack, whose text is the answer to",
        "another call.",
        "",
        "## Tools",
        "",
        "| server | tools | tokens of names, descriptions and input schemas | tokens of the whole list |",
        "|---|---|---|---|",
    ]
    for row in found["rows"]:
        if row["corpus"] == PLAN["corpora"][0]:
            tools = f"{len(row['tools'])}" if "tools" in row else "failed"
            lines.append(f"| {row['server']} | {tools} | {cell(row, 'described_tokens', ',')} | {cell(row, 'listed_tokens', ',')} |")
    lines += [
        "",
        "## Answers",
        "",
        "| corpus | server | `tools/list` after start | first answer | warm answer | tokens of the answer | files that it names | tokens of the pack's text | memory of the server | with its processes |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        lines.append(
            f"| {row['corpus']} | {row['server']} | {cell(row, 'list_s', '.3f', ' s')} | {cell(row, 'first_s', '.3f', ' s')} | {cell(row, 'warm_s', '.3f', ' s')} "
            f"| {cell(row, 'answer_tokens', ',')} | {cell(row, 'files_named', ',')} | {cell(row, 'text_tokens', ',') if 'then' in servers[row['server']] else '–'} | {cell(row, 'server_mb', '.0f', ' MB')} | {cell(row, 'all_mb', '.0f', ' MB')} |"
        )
    lines += [
        "",
        "*First* is the first answer of a server that has just been started, with nothing known of the repository; *warm* is a",
        "later answer of the same process. Memory is the peak after two answers; *with its processes* adds the peaks of the",
        "processes that it had at the same moment, looked at every 20 ms. *Files that it names* are those whose whole paths stand",
        "in the answer.",
        "",
        "## Freshness",
        "",
        f"On one branch of a clone of {rule['corpus']} a class is called `{rule['old']}`, on the other `{rule['new']}`, everywhere. Each server is asked",
        "on the first, at once after `git switch` to the second, and at once after the switch back. An answer is fresh if it",
        "shows the branch's name and not the other.",
        "",
        "| server | asked with | on the first | after the switch | after the switch back | fresh | answer after the switch |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        if row["corpus"] != rule["corpus"]:
            continue
        tools = ", then ".join(f"`{call['tool']}`" for peer in [servers[row["server"]]] for call in peer["map"] + peer.get("then", []))
        state = row.get("freshness")
        if state is None:
            lines.append(f"| {row['server']} | {tools} | failed | failed | failed | – | – |")
            continue
        told = [names_in(state[moment]) for moment in ("before", "switched", "back")]
        if "kept" in state:
            again = ", then ".join(f"`{call['tool']}`" for call in servers[row["server"]]["then"])
            is_fresh = "yes" if state["kept"] == [rule["new"]] else "**no**"
            lines.append(f"| {row['server']} | {again} alone, after the switch | {told[0]} | {names_in(state['kept'])} | – | {is_fresh} | – |")
        lines.append(f"| {row['server']} | {tools} | {' | '.join(told)} | {'yes' if state['is_fresh'] else '**no**'} | {state['switched_s']:.3f} s |")
    failures = [f"- {row['corpus']}, {row['server']}, {what}: {why}" for row in found["rows"] for what, why in row["failed"].items()]
    if failures:
        lines += ["", "## What failed, in the servers' words", "", *failures]
    return "\n".join(lines) + "\n"


def measure(work, parity, report):
    names = {"work": str(work.resolve()), "parity": str(Path(parity).resolve())}
    tokens, load_before = Tokens(), os.getloadavg()[0]
    rows = [row for corpus in PLAN["corpora"] for row in measured(corpus, names, tokens)]
    found = {"schema_version": 1, "encoding": "cl100k_base", "processors": os.cpu_count(), "load_before": load_before, "load_after": os.getloadavg()[0], "runs": RUNS, "rows": rows}
    Path(f"{report}.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    Path(f"{report}.md").write_text(page(found))
    print(page(found))


if __name__ == "__main__":
    if sys.argv[1] == "install":
        install(Path(sys.argv[2]))
    else:
        measure(Path(sys.argv[2]), *sys.argv[3:5])
