#!/usr/bin/env python3
"""Run Aider as shipped, one process for each map, and print what it took.

One request of the driver's format on standard input (README.md), of which
``repo``, ``cwd``, ``mode``, ``model``, ``refresh``, ``cases`` and what decides
their command lines are read. Every case runs twice: *cold*, without extracted tags,
and *warm*, with those that the first run left.

Standard output: one JSON object: ``cases``, for each its ``id`` and for
``cold`` and ``warm`` the ``seconds`` of the whole process, the ``map_seconds``
of the map alone, ``max_rss_bytes`` and the ``text`` of the map.

Of what the driver does to be quick, nothing is done here: no compiled query is
kept, no parsed file and no ranking is shared, Python collects its garbage. What
is left of it: a private home, the tags kept outside the repository, and in
canonical mode the sorted iterations.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from parity_driver import isolation  # noqa: E402
from parity_driver.request import aider_argv, parse  # noqa: E402

TAGS = "PARITY_SHIPPED_TAGS"
# The frames below a map that ``aider --show-repo-map`` makes: the console script and ``aider.main.main``.
CONSOLE_DEPTH = 2
# The launcher calls this script by ``exec``, which has no frame and counts as one.
LAUNCHER_DEPTH = 1


def main():
    """Time every case of the request on standard input."""
    payload = json.load(sys.stdin)
    request = parse(payload)
    cases = []
    for number, case in enumerate(request.cases):
        with tempfile.TemporaryDirectory(prefix="parity-aider-") as tags:
            runs = {state: run(payload, number, tags) for state in ("cold", "warm")}
        cases.append({"id": case.id, **runs})
    json.dump({"cases": cases}, sys.stdout)


def run(payload, number, tags):
    """One case in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="parity-aider-") as tmp:
        environment = isolation.child_environment(str(payload.get("seed", "0")), tmp)
        environment[TAGS] = tags
        with open(os.path.join(tmp, "request.json"), "w", encoding="utf-8") as target:
            json.dump([payload, number], target)
        started = time.monotonic()
        subprocess.run(
            [sys.executable, os.path.abspath(__file__)],
            env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True,
        )  # fmt: skip
        seconds = time.monotonic() - started
        with open(os.path.join(tmp, "response.json"), encoding="utf-8") as source:
            return {"seconds": seconds, **json.load(source)}


def child():
    """Make one map as ``aider --show-repo-map`` does."""
    isolation.die_with_parent()
    match_recursion_room()
    tmp = os.environ[isolation.CHILD_MARK]
    with open(os.path.join(tmp, "request.json"), encoding="utf-8") as source:
        payload, number = json.load(source)
    request = parse(payload)
    case = request.cases[number]
    root = os.path.realpath(request.repo)
    os.chdir(os.path.join(root, request.cwd or ""))

    import aider.main
    import aider.repomap
    from prompt_toolkit.input import DummyInput
    from prompt_toolkit.output import DummyOutput

    if request.mode == "canonical":
        from parity_driver import canonical

        canonical.install(aider.repomap)
    aider.repomap.RepoMap.TAGS_CACHE_DIR = os.environ[TAGS]
    argv = aider_argv(request, case, root, tmp)
    coder = aider.main.main(argv, return_coder=True, input=DummyInput(), output=DummyOutput())
    if case.message:
        coder.cur_messages = [{"role": "user", "content": case.message}]
    started = time.monotonic()
    text = coder.get_repo_map(force_refresh=case.force_refresh) if coder.repo_map else None
    response = {
        "map_seconds": time.monotonic() - started,
        "max_rss_bytes": peak_memory(),
        "text": text,
    }
    with open(os.path.join(tmp, "response.json"), "w", encoding="utf-8") as target:
        json.dump(response, target)


def match_recursion_room():
    """Leave Aider the stack depth that it has when its console script starts it.

    The environment's launcher is below it, and Aider gives up on a map when a
    deeply nested file exceeds Python's recursion limit.
    """
    frame, depth = sys._getframe(1), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(sys.getrecursionlimit() + depth + LAUNCHER_DEPTH - CONSOLE_DEPTH)


def peak_memory():
    """The most memory that this process has had, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    child() if isolation.is_child() else main()
