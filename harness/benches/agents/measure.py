#!/usr/bin/env python3
"""How fast is what agents call? All of it in one run, on the repositories of `targets.toml`.

    measure.py PARITY REPORT        write REPORT.json and REPORT.md

PARITY is the program. Repositories are those that `parity run` has fetched. Every run has a cache folder of its own, so
that nothing is known of a repository unless the run itself has made it known. Nothing else should run beside it.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("PARITY_CACHE_DIR", Path.home() / ".cache/parity"))
PLAN = tomllib.loads((HERE / "targets.toml").read_text())
RUNS = PLAN["runs"]
CLIENT_INFO = {"name": "bench", "version": "1"}


def repository(corpus):
    """The folder of a corpus in the cache."""
    named = re.compile(re.escape(corpus) + r"-[0-9a-f]{12}")
    return next(path for path in sorted((CACHE / "repos").glob(f"{corpus}-*")) if named.fullmatch(path.name))


def percentile(values, share):
    """The value below which this share of the values lies, of the values themselves."""
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def environment(cache):
    return {**os.environ, "PARITY_CACHE_DIR": str(cache), "HOME": str(cache)}


# ------------------------------------------------------------------- the server


class Server:
    """A server and its client, which says a line and waits for its answer."""

    def __init__(self, program, root, cache):
        self.process = subprocess.Popen(
            [program, "mcp", "--root", str(root)], env=environment(cache), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0

    def ask(self, method, params):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def greet(self):
        return self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT_INFO})

    def call(self, name, arguments):
        """Seconds of a call; nothing if it failed."""
        started = time.perf_counter()
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        took = time.perf_counter() - started
        return None if "error" in answer or answer["result"].get("isError") else took

    def peak_mb(self):
        """The most memory that it has had, in megabytes, the pages of the program's file that it has used included."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1000

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def listing(program, root):
    """Seconds from the start of a server to its answer to tools/list."""
    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        server = Server(program, root, cache)
        server.greet()
        assert server.ask("tools/list", {})["result"]["tools"]
        took = time.perf_counter() - started
        server.end()
        return took


def calls_of(root):
    """What the clients ask, in turn: every tool, on files of the repository."""
    tracked = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    files = [file for file in tracked if file.endswith((".py", ".rs"))]
    some = files[:: max(1, len(files) // 16)]
    for file in some:
        yield "explore", {"file_path": file}
        yield "repo_map", {"map_tokens": 1024, "focus": [file]}
        yield "treesitter", {"operation": "parse", "file_path": file}


def memory(program, root):
    """Megabytes of a server after calls to all tools: in all, and beyond what it has when it is ready."""
    with tempfile.TemporaryDirectory() as cache:
        server = Server(program, root, cache)
        server.greet()
        server.ask("tools/list", {})
        ready = server.peak_mb()
        failed = [call for call in list(calls_of(root))[:24] if server.call(*call) is None]
        server.call("treesitter", {"operation": "definition", "symbol": "get"})
        peak = server.peak_mb()
        server.end()
        return peak, peak - ready, len(failed)


def together(program, root):
    """Seconds of each call by tool, and how many failed, while several clients ask at once."""
    took, failed = {}, []
    plan = list(calls_of(root))
    with tempfile.TemporaryDirectory() as cache:
        end = time.perf_counter() + RUNS["seconds"]

        def client(number):
            server = Server(program, root, cache)
            server.greet()
            at = number
            while time.perf_counter() < end:
                name, arguments = plan[at % len(plan)]
                seconds = server.call(name, arguments)
                if seconds is None:
                    failed.append(name)
                else:
                    took.setdefault(name, []).append(seconds)
                at += 1
            server.end()

        threads = [threading.Thread(target=client, args=(number,)) for number in range(RUNS["clients"])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return took, len(failed)


# ------------------------------------------------------------------- hooks and maps


def hook(program, root, cache, session):
    """Seconds of a hook at the start of a session, and whether it told a map."""
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": session, "cwd": str(root)}
    started = time.perf_counter()
    told = subprocess.run([program, "hook", "--client", "claude"], input=json.dumps(event).encode(), env=environment(cache), capture_output=True, check=True)
    return time.perf_counter() - started, b"additionalContext" in told.stdout


def wait_for_index(program, root, cache):
    """Waits until the map that a hook has left to be made is made."""
    end = time.perf_counter() + 120
    while not hook(program, root, cache, f"wait-{time.perf_counter_ns()}")[1]:
        if time.perf_counter() > end:
            sys.exit(f"{root}: no map within two minutes")
        time.sleep(1)


def cold_map(program, root):
    """Seconds of a map of the enhancement profile that knows nothing of the files."""
    with tempfile.TemporaryDirectory() as cache:
        words = [program, "map", ".", "--profile", "enhancement", "--map-tokens", "1024"]
        started = time.perf_counter()
        subprocess.run(words, cwd=root, env=environment(cache), capture_output=True, check=True)
        return time.perf_counter() - started


def starts(program, root):
    """Hooks at the start of a session with nothing indexed."""
    found = []
    for number in range(RUNS["start"]):
        # What a hook leaves to be made goes on in the background, and may still write.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            found.append(hook(program, root, cache, f"start-{number}"))
            wait_for_index(program, root, cache)
    return found


def warm(program, root):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        wait_for_index(program, root, cache)
        hooks = [hook(program, root, cache, f"warm-{number}") for number in range(RUNS["warm"])]
        assert all(told for _, told in hooks)
        return [seconds for seconds, _ in hooks]


def measure(program, corpus):
    root = repository(corpus)
    files = len(subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")) - 1
    lists = [listing(program, root) for _ in range(RUNS["list"])]
    # In turn, so that what else the machine does falls on both.
    warm_hooks, cold_maps = warm(program, root), [cold_map(program, root) for _ in range(RUNS["cold"])]
    started = starts(program, root)
    seconds = [took for took, _ in started]
    peak, added, refused = memory(program, root)
    row = {
        "corpus": corpus,
        "files": files,
        "list_ms": 1000 * percentile(lists, 0.5),
        "cold_map_s": percentile(cold_maps, 0.5),
        "warm_hook_s": percentile(warm_hooks, 0.5),
        "warm_ratio": percentile(cold_maps, 0.5) / percentile(warm_hooks, 0.5),
        "start_median_s": percentile(seconds, 0.5),
        "start_p95_s": percentile(seconds, 0.95),
        "start_told": sum(told for _, told in started) / len(started),
        "server_mb": peak,
        "server_added_mb": added,
        "refused": refused,
    }
    print(json.dumps(row), flush=True)
    return row


# ------------------------------------------------------------------- the report


def judged(rows, clients):
    """Each target with what was measured: the worst of the corpora that it is about."""
    small = [row for row in rows if row["files"] <= 400]
    about = {
        "list_ms": ("answer to `tools/list` after start, ms", [row["list_ms"] for row in rows]),
        "warm_ratio": ("warm hook against a cold map, django", [row["warm_ratio"] for row in rows if row["corpus"] == "django"]),
        "start_median_s": ("start of a session, nothing indexed, at most 400 files, median, s", [row["start_median_s"] for row in small]),
        "start_p95_s": ("the same, 95th percentile, s", [row["start_p95_s"] for row in small]),
        "start_any_median_s": ("start of a session, nothing indexed, any size, median, s", [row["start_median_s"] for row in rows]),
        "start_any_p95_s": ("the same, 95th percentile, s", [row["start_p95_s"] for row in rows]),
        "server_added_mb": ("memory that calls to all tools add to a server, MB", [row["server_added_mb"] for row in rows]),
        "errors": ("failed calls of clients at once", [clients["errors"]]),
    }
    for name, target in PLAN["target"].items():
        title, values = about[name]
        if "most" in target:
            value = max(values)
            yield {"name": name, "title": title, "value": value, "target": f"≤ {target['most']}", "met": value <= target["most"]}
        else:
            value = min(values)
            yield {"name": name, "title": title, "value": value, "target": f"≥ {target['least']}", "met": value >= target["least"]}


def page(found):
    """The report for people."""
    lines = [
        "# What agents call, measured",
        "",
        "Written by `harness/benches/agents/measure.py`; its numbers are those of [agents.json](agents.json). Ratios and bounds are",
        f"of one run, on {found['processors']} processors, whose load average was {found['load_before']:.1f} before: absolute times are of that",
        "machine, and longer than on one that does nothing else.",
        "",
        "| what | measured | target | |",
        "|---|---|---|---|",
    ]
    for row in found["targets"]:
        lines.append(f"| {row['title']} | {row['value']:.3g} | {row['target']} | {'met' if row['met'] else '**missed**'} |")
    lines += ["", "| corpus | files | `tools/list` | cold map | warm hook | ratio | start, median | 95 % | told a map | server | of it by calls |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in found["rows"]:
        lines.append(
            f"| {row['corpus']} | {row['files']} | {row['list_ms']:.1f} ms | {row['cold_map_s']:.3f} s | {row['warm_hook_s']:.3f} s | {row['warm_ratio']:.1f} "
            f"| {row['start_median_s']:.3f} s | {row['start_p95_s']:.3f} s | {row['start_told']:.0%} | {row['server_mb']:.1f} MB | {row['server_added_mb']:.1f} MB |"
        )
    clients = found["clients"]
    lines += [
        "",
        "*Start* is a hook at the start of a session with nothing indexed. It answers at its deadline of a second without a map, if there",
        "is none by then; *told a map* is how often it had one. The map is made in the background, and the first prompt gets it.",
        "",
        f"## {clients['clients']} clients for {clients['seconds']} s on {clients['corpus']}",
        "",
        f"Each has a server of its own; all share one index, which is empty at first. {clients['calls']} calls, {clients['errors']} errors.",
        "",
        "| tool | calls | median | 99 % |",
        "|---|---|---|---|",
    ]
    for name, row in clients["tools"].items():
        lines.append(f"| `{name}` | {row['calls']} | {row['median_s']:.3f} s | {row['p99_s']:.3f} s |")
    return "\n".join(lines) + "\n"


def main(program, report):
    program = str(Path(program).resolve())
    load_before = os.getloadavg()[0]
    rows = [measure(program, corpus) for corpus in PLAN["corpora"]]
    corpus = "django"
    took, errors = together(program, repository(corpus))
    tools = {name: {"calls": len(seconds), "median_s": percentile(seconds, 0.5), "p99_s": percentile(seconds, 0.99)} for name, seconds in sorted(took.items())}
    clients = {"corpus": corpus, "clients": RUNS["clients"], "seconds": RUNS["seconds"], "calls": sum(map(len, took.values())) + errors, "errors": errors, "tools": tools}
    found = {"schema_version": 1, "processors": os.cpu_count(), "load_before": load_before, "runs": RUNS, "targets": list(judged(rows, clients)), "rows": rows, "clients": clients}
    Path(f"{report}.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    Path(f"{report}.md").write_text(page(found))
    print(page(found))


if __name__ == "__main__":
    main(*sys.argv[1:3])
