#!/usr/bin/env python3
"""Measures the processor seconds of our units, which runs do not record: their wall time also holds what ran beside them.

    processors.py PARITY CHECKOUT CACHE CORPUS... > processors.json

Each command is what a run starts for a unit of this kind. User and system time are those of the process and its
children. Nothing is written into the repositories.
"""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

BUDGETS = (1024, 2048, 4096)
WIDE = 65536
PROFILE = ["--profile", "parity", "--map-mul-no-files", "2"]


def requests(cases):
    """What one process is asked for all maps of a corpus."""
    plain = {"chat_files": [], "message": "", "read_only_files": []}
    chats = [plain]
    if "chat_file" in cases:
        chats.append({**plain, "chat_files": [cases["chat_file"]]})
    if "message" in cases:
        chats.append({**plain, "message": cases["message"]})
    asked = [{**chat, "map_tokens": budget, "trace": "graph"} for chat in chats for budget in BUDGETS]
    return [*asked, {**plain, "map_tokens": WIDE, "trace": "graph"}]


def commands(cases):
    """Arguments and input lines by kind of unit."""
    call = {"chat_files": [], "message": "", "read_only_files": []}
    session = ["session", ".", *PROFILE, "--map-tokens", "1024", "--refresh"]
    return {
        "maps": (["map", ".", *PROFILE, "--refresh", "files", "--requests", "-"], requests(cases)),
        "trial": ([*session, "manual"], [call] * 2),
        "calls": ([*session, "always"], [call] * 10),
    }


def used(parity, folder, arguments, lines):
    """Processor seconds of one command."""
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
    child = subprocess.Popen(
        [parity, *arguments], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    child.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{folder.name}: {arguments[0]} ended with {status}")
    return round(usage.ru_utime + usage.ru_stime, 3)


def main(parity, checkout, cache, *names):
    locks = {}
    for path in sorted(Path(checkout).glob("corpora/*.lock.toml")):
        locks.update((row["name"], row) for row in tomllib.loads(path.read_text()).get("corpus", []))
    found = {}
    for name in names:
        row = locks[name]
        folder = Path(cache) / "repos" / f"{name}-{row['commit'][:12]}"
        found[name] = {kind: used(parity, folder, *command) for kind, command in commands(row["cases"]).items()}
        print(name, found[name], file=sys.stderr)
    print(json.dumps(found, indent=1, sort_keys=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
