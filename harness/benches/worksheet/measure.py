#!/usr/bin/env python3
"""The worksheet of `repomap_artifact_v1`: sessions of opencode with and without the map.

    measure.py check                          the policy, on requests made for that
    measure.py run PARITY TASKS WORK REPORT   all sessions; writes REPORT.json and REPORT.md

PARITY is the program, TASKS what `relevance/measure.py prepare` has made. `run` needs a Python that has tiktoken and its
vocabulary: the comparator's. Nothing else should run beside it.
"""

import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CLIENT = ROOT / "comparators/clients/opencode"
sys.path[:0] = [str(HERE), str(CLIENT)]
import page  # noqa: E402
import session  # noqa: E402
from policy import EDITED, SEARCHES, Context, Policy, ranked, text  # noqa: E402
from stub import Stub  # noqa: E402

PLAN = tomllib.loads((HERE / "plan.toml").read_text())
ARMS = ("off", "on", "empty")
COUNTS = ("searches", "reads", "asked", "edited", "requests")
# What the plugin of the control starts: a program that gives a map of nothing.
EMPTY = "<repository-map 0>\n</repository-map 0>"


def relevance():
    """The module that makes the tasks: it knows which files are source code that a change is about."""
    spec = importlib.util.spec_from_file_location("relevance", HERE.parent / "relevance/measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RELEVANCE = relevance()


def is_source(path):
    return bool(RELEVANCE.SOURCE.search(path)) and not RELEVANCE.NOT_SOURCE.search(path)


class Tokens:
    """Counts as cl100k_base does, with the vocabulary that the comparator is installed with."""

    def __init__(self):
        expected = (ROOT / "comparators/aider/comparator.toml").read_text()
        name = re.search(r'data_file = "(\w+)"', expected)[1]
        found = [path for folder in sys.path for path in Path(folder).glob(f"litellm/**/{name}")]
        if not found:
            sys.exit("this Python does not have the vocabulary: take the comparator's")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(found[0].parent)
        import tiktoken

        self.encoding, self.known = tiktoken.get_encoding("cl100k_base"), {}

    def count(self, said):
        if said not in self.known:
            self.known[said] = len(self.encoding.encode(said, disallowed_special=()))
        return self.known[said]

    def of(self, body):
        """Tokens of all text of a request: messages, calls, and the tools that it offers."""
        said = [text(message) for message in body["messages"]]
        said += [call["function"]["name"] + call["function"]["arguments"] for message in body["messages"] for call in message.get("tool_calls") or ()]
        return sum(map(self.count, said)) + self.count(json.dumps(body.get("tools", [])))


# ------------------------------------------------------------------- a session


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True).stdout


class Place:
    """A repository with a home and a cache of its own."""

    def __init__(self, program, client, source, folder):
        self.program, self.client, self.cache, self.home = program, client, folder / "cache", folder / "home"
        self.root = folder / "repository"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run(["git", "clone", "-q", source, self.root], check=True)

    def variables(self, cache=None):
        path = f"{self.client}/sorted:{os.environ['PATH']}"
        return {"HOME": str(self.home), "PARITY_CACHE_DIR": str(cache or self.cache), "PATH": path}

    def parity(self, *words, said="", cache=None):
        told = subprocess.run([self.program, *words], cwd=self.root, input=said, env=os.environ | self.variables(cache), capture_output=True, text=True, check=True)
        return told.stdout

    def hook(self, name, session_id, cache=None, **more):
        """Milliseconds of a hook, as the plugin calls it, and whether it gave a map."""
        event = {"hook_event_name": name, "session_id": session_id, "cwd": str(self.root), **more}
        started = time.perf_counter()
        told = self.parity("hook", "--client", "opencode", said=json.dumps(event), cache=cache)
        return 1000 * (time.perf_counter() - started), "<repository-map " in told

    def wait_for_map(self, cache=None):
        end = time.perf_counter() + 300
        while not self.hook("SessionStart", f"wait-{time.perf_counter_ns()}", cache, source="startup")[1]:
            if time.perf_counter() > end:
                sys.exit(f"{self.root}: no map within five minutes")
            time.sleep(1)

    def set_up(self, arm):
        """A home in which opencode has never been run, with the plugin or without it."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        git(self.root, "checkout", "-q", "--", ".")
        git(self.root, "clean", "-fdxq")
        if arm == "off":
            return
        self.parity("hook", "install", "--client", "opencode", "--user", "--no-mcp", "--no-skill")
        plugin = self.home / ".config/opencode/plugins/parity.js"
        if arm == "empty":
            answer = json.dumps({"hookSpecificOutput": {"additionalContext": EMPTY}})
            command = json.dumps(["/bin/sh", "-c", f"cat >/dev/null; printf %s '{answer}'"])
            words = plugin.read_text()
            changed = re.sub(r"^const COMMAND = .*$", lambda _: f"const COMMAND = {command};", words, flags=re.M)
            assert changed != words
            plugin.write_text(changed)


def play(place, task, arm, tokens):
    """One session; what was counted and how long it took."""
    place.set_up(arm)
    policy = Policy(PLAN["policy"], is_source, lambda path: path in task["changed"])
    with Stub(policy.answer) as stub:
        started = time.perf_counter()
        code, _, error = session.run(place.client, place.root, task["message"], stub, more=place.variables())
        took = time.perf_counter() - started
    if code != 0 or not stub.requests:
        sys.exit(f"{task['id']}, {arm}: opencode ended with {code}\n{error[-2000:]}")
    found = found_in(stub.requests, started, policy, task, tokens) | {"total_s": took}
    if found["has_map"] != (arm != "off") and arm != "on":
        sys.exit(f"{task['id']}, {arm}: a map of the control is missing, or one is there without a plugin")
    changed = git(place.root, "diff", "--name-only").split()
    if bool(changed) != found["edited"] or not set(changed) <= set(task["changed"]):
        sys.exit(f"{task['id']}, {arm}: the edit is not in the repository: {changed}")
    return found


def found_in(requests, started, policy, task, tokens):
    """What the recorded requests of a session say."""
    contexts = [Context(request["body"]) for request in requests]
    last = contexts[-1]
    done = [at for at, context in enumerate(contexts) if any(EDITED in result for _, _, result in context.of("edit"))]
    # The requests that the model was sent before it had made its edit, or all if it has made none.
    before = requests[: done[0]] if done else requests
    mapped = {path: lines for path, lines in contexts[0].seen.items() if is_source(path)}
    order = [path for path, _, _ in ranked(mapped, policy.words(task["message"]))]
    right = [order.index(path) + 1 for path in task["changed"] if path in order]
    return {
        "searches": sum(name in SEARCHES for name, _, _ in last.calls),
        "reads": len(last.of("read")),
        "edited": bool(done),
        "asked": not done,
        "requests": len(before),
        "tokens": sum(tokens.of(request["body"]) for request in before),
        "map_files": len(contexts[0].mapped),
        "map_has": [path for path in task["changed"] if path in contexts[0].mapped],
        "map_place": min(right, default=None),
        "has_map": "<repository-map " in json.dumps(requests[0]["body"]),
        "first_s": requests[0]["at"] - started,
        "edit_s": requests[done[0]]["at"] - started if done else None,
    }


# ------------------------------------------------------------------- a run


def tasks_of(folder, package):
    """The tasks of a package that the rule chooses."""
    tasks = json.loads((folder / "development" / package / "tasks.json").read_text())
    digest = lambda task: hashlib.sha256(f"{package}/{task['id']}".encode()).hexdigest()  # noqa: E731
    return sorted(tasks, key=digest)[: PLAN["tasks"]["of_each"]]


def hooks(place, message):
    """How long the hooks of a session's start take, and the map itself: milliseconds."""

    def both(cache, number):
        name = f"hook-{number}-{time.perf_counter_ns()}"
        start = place.hook("SessionStart", name, cache, source="startup")
        prompt = place.hook("UserPromptSubmit", name, cache, prompt=message)
        return {"start_ms": start[0], "prompt_ms": prompt[0], "told": start[1] or prompt[1]}

    found = {"warm": [both(None, number) for number in range(PLAN["runs"]["warm"])], "cold": [], "made_ms": []}
    for number in range(PLAN["runs"]["cold"]):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            place.parity("map", "--artifact", f"{cache}/maps", "--timeout", "120000", cache=cache)
            found["made_ms"].append(json.loads(Path(cache, "maps/latest.json").read_text())["provenance"]["duration_ms"])
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            found["cold"].append(both(cache, number))
            place.wait_for_map(cache)
    return {
        "made_ms": statistics.median(found["made_ms"]),
        **{f"{kind}_{name}": statistics.median(row[name] for row in found[kind]) for kind in ("warm", "cold") for name in ("start_ms", "prompt_ms")},
        **{f"{kind}_told": sum(row["told"] for row in found[kind]) / len(found[kind]) for kind in ("warm", "cold")},
    }


def merged(sessions):
    """Sessions of one task in one arm: their counts, and the medians of what is not counted."""
    first = sessions[0]
    times = {}
    for name in ("tokens", "first_s", "edit_s", "total_s"):
        values = [row[name] for row in sessions]
        times[name] = None if None in values else statistics.median(values)
    steady = all(row[name] == first[name] for row in sessions for name in COUNTS)
    return first | times | {"sessions": len(sessions), "steady": steady, "has_map": sum(row["has_map"] for row in sessions)}


def installed(work):
    """The folder with the client, installed from its lock."""
    folder = work / "opencode"
    if not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(CLIENT / name, folder)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    # ripgrep's results come in any order, and opencode cuts them: sorted, they are the same in every session.
    program = folder / "sorted/rg"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{folder}/node_modules/@vscode/ripgrep-linux-x64/bin/rg" --sort=path "$@"\n')
    program.chmod(0o755)
    return folder


def control(rows):
    """The tasks in which an empty map was of use: there must be none."""

    def is_better(one, other):
        fewer = one["searches"] + one["reads"] < other["searches"] + other["reads"]
        return fewer or one["edited"] > other["edited"] or one["tokens"] < other["tokens"]

    return [row["task"] for row in rows if is_better(row["empty"], row["off"])]


def run(program, folder, work, report):
    program, folder, work = str(Path(program).resolve()), Path(folder).resolve(), Path(work).resolve()
    tokens, client, load = Tokens(), installed(work), [os.getloadavg()[0]]
    rows, repositories = [], []
    for package in PLAN["tasks"]["packages"]:
        place = Place(program, client, folder / "development" / package / "repository", work / package)
        tasks = tasks_of(folder, package)
        place.set_up("off")
        place.wait_for_map()
        files = len(git(place.root, "ls-files").splitlines())
        for task in tasks:
            played = {arm: [] for arm in ARMS}
            for number in range(PLAN["runs"]["sessions"]):
                # In turn, so that what else the machine does falls on all.
                for arm in ARMS if number == 0 else ARMS[:2]:
                    played[arm].append(play(place, task, arm, tokens))
            rows.append({"package": package, "task": task["id"], "files": files, "changed": len(task["changed"])})
            rows[-1] |= {arm: merged(found) for arm, found in played.items()}
            print(json.dumps({arm: [rows[-1][arm][name] for name in ("searches", "reads", "tokens", "edit_s")] for arm in ARMS} | {"task": task["id"]}), flush=True)
        place.set_up("off")
        repositories.append({"package": package, "files": files, **hooks(place, tasks[0]["message"])})
        load.append(os.getloadavg()[0])
    spec = tomllib.loads((CLIENT / "oracle.toml").read_text())
    found = {
        "schema_version": 1,
        "client": f"{spec['name']} {spec['version']}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": git(ROOT, "rev-parse", "HEAD").strip(),
        "clean": not git(ROOT, "status", "--porcelain", "--", "engine", "agents", "harness/src", "queries"),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "load": load,
        "tokenizer": "cl100k_base",
        "plan": PLAN,
        "rows": rows,
        "repositories": repositories,
        "better_with_an_empty_map": control(rows),
    }
    Path(f"{report}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    Path(f"{report}.md").write_text(page.page(found))
    if found["better_with_an_empty_map"]:
        sys.exit("an empty map was of use: what is measured is not the map")


def main(command, *arguments):
    if command == "check":
        import check

        check.main(is_source, control)
    elif command == "page":
        found = json.loads(Path(f"{arguments[0]}.json").read_text())
        Path(f"{arguments[0]}.md").write_text(page.page(found))
    else:
        run(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
