#!/usr/bin/env python3
"""The second table of task relevance: commits that a package's own change log records with their paths.

GNU's packages are distributed with a file `ChangeLog` that is made of their history. An entry has the subject of a
commit, and lists the files and functions that it changed. Here such an entry is a task: the subject is the message.
The README says which entries are taken, and what this table can not say.

    changelogs.py prepare PACKAGES WORK      fetch sources, make repositories and tasks, below WORK/changelog
    changelogs.py count PACKAGES WORK        the number of entries and tasks of each package

`measure.py ask WORK changelog SYSTEM` and `measure.py score WORK changelog` do the rest.
"""

import collections
import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

import measure

SPLIT = "changelog"
ENTRY = re.compile(r"\d{4}-\d\d-\d\d\s+\S")
# `* path, path (name, name) [WHERE]: what`. The names may go on in the next line, or stand there alone.
CHANGED = re.compile(r"\*\s+([^\s(:,]+(?:,\s+[^\s(:,]+)*)(.*)", re.S)
NAMES = re.compile(r"\(([^()]*)\)")


# An invented log, and what has to be read in it.
EXAMPLE = """\
2026-01-02  Ann Example  <ann@example.org>

\tpump: let the valve close
\tIt stayed open for a second.
\t* src/pump.c (valve, struct pump): Close it.
\t(handle): Likewise.
\t* src/pump.h,
\tsrc/tap.c: Adjust.

\ttap: turn the handle back

\tA further paragraph.

\t* src/tap.c (turn) [WATER]: Turn.

2026-01-01  Ben Example  <ben@example.org>

\t* src/pump.c (flow): No subject stands before this.
"""
EXPECTED = [
    ("2026-01-02", "pump: let the valve close", {"src/pump.c": ["valve", "handle"], "src/pump.h": [], "src/tap.c": []}),
    ("2026-01-02", "tap: turn the handle back", {"src/tap.c": ["turn"]}),
]


def prepare(packages, work):
    read = list(entries(EXAMPLE))
    if read != EXPECTED:
        raise SystemExit(f"the invented log is not read as it should be: {read}")
    for source, version in tomllib.loads(Path(packages).read_text())[SPLIT].items():
        folder = work / SPLIT / source
        if (folder / "tasks.json").exists():
            continue
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        measure.fetch(source, version, work / "sources")
        commit = measure.repository(source, version, work / "sources", folder / "repository")
        tasks = list(tasks_of(folder / "repository"))
        without_logs(folder / "repository")
        (folder / "tasks.json").write_text(json.dumps(tasks, indent=1))
        print(SPLIT, source, version, commit, len(tasks), "tasks", flush=True)


def tasks_of(repository):
    """The tasks of a repository, by the rules of the README."""
    files = set(measure.git(repository, "ls-files", "-z").split("\0"))
    tasks, seen = [], set()
    for date, message, changed in entries(log(repository)):
        changed = {path: names for path, names in changed.items() if measure.SOURCE.search(path) and not measure.NOT_SOURCE.search(path)}
        # An entry about a file that was renamed or removed since says nothing about this tree.
        if not 1 <= len(changed) <= measure.MOST_FILES or not changed.keys() <= files:
            continue
        if len(message.split(" ")) < measure.FEWEST_WORDS or measure.MERGE.search(message) or message in seen:
            continue
        seen.add(message)
        changed = {path: [name for name in names if measure.stands_in(name, repository / path)] for path, names in changed.items()}
        tasks.append({"id": f"{date} {measure.digest(message)[:12]}", "message": message, "changed": changed})
    chosen = sorted(tasks, key=lambda task: measure.digest(task["message"]))[: measure.MOST_TASKS]
    return sorted(chosen, key=lambda task: task["id"])


def log(repository):
    path = repository / "ChangeLog"
    return path.read_text("utf-8", "replace") if path.is_file() and not path.is_symlink() else ""


def entries(text):
    """Date, subject, and changed files with their names, of each entry that has a subject before its files."""
    date, paragraphs = None, []
    for line in [*text.split("\n"), "9999-99-99  end"]:
        if ENTRY.match(line):
            if date:
                yield from commits(date, paragraphs)
            date, paragraphs = line[:10], [[]]
        elif not line.strip():
            paragraphs.append([])
        elif date and line.startswith(("\t", "        ")):
            paragraphs[-1].append(line.strip())


def commits(date, paragraphs):
    """One date may head several commits: each begins with a paragraph that lists no file."""
    subject, changed = None, {}
    for lines in filter(None, paragraphs):
        if not lines[0].startswith("*"):
            if subject and changed:
                yield date, subject, changed
            # A further paragraph before the files goes on about the same commit.
            subject, changed = (subject if subject and not changed else lines[0]), {}
        add(changed, lines)
    if subject and changed:
        yield date, subject, changed


def add(changed, lines):
    """Adds the files and names of a paragraph. An item goes on until the next one begins."""
    items = []
    for line in lines:
        if line.startswith("* "):
            items.append([line])
        elif items:
            items[-1].append(line)
    for item in items:
        if found := CHANGED.match("\n".join(item)):
            paths, rest = found.groups()
            # Names stand in brackets before the colon, and so do those of a further line that begins with a bracket.
            places = [rest, *(line for line in item[1:] if line.startswith("("))]
            names = [name.strip() for place in places for inside in NAMES.findall(place.split(":")[0]) for name in inside.split(",")]
            names = [name for name in names if re.fullmatch(r"[A-Za-z_]\w{2,}", name) and name not in measure.KEYWORDS]
            for path in re.split(r",\s+", paths):
                kept = changed.setdefault(path, [])
                kept += [name for name in dict.fromkeys(names) if name not in kept]


def without_logs(repository):
    """Takes the change logs out of the repository: they hold the answers."""
    logs = [path for path in measure.git(repository, "ls-files", "-z").split("\0") if re.search(r"(^|/)(ChangeLog|NEWS)[^/]*$", path)]
    for at in range(0, len(logs), 100):
        measure.git(repository, "rm", "-q", "--", *logs[at : at + 100])
    measure.git(repository, "commit", "-q", "--allow-empty", "-m", "Leave out the change logs")


def count(packages, work):
    for source in tomllib.loads(Path(packages).read_text())[SPLIT]:
        folder = work / SPLIT / source
        tasks = json.loads((folder / "tasks.json").read_text())
        languages = collections.Counter(measure.language(task["changed"]) for task in tasks)
        named = sum(any(task["changed"].values()) for task in tasks)
        print(source, len(tasks), "tasks,", named, "with names,", dict(languages.most_common()))


def main():
    match sys.argv[1:]:
        case ["prepare", packages, work]:
            Path(work).mkdir(parents=True, exist_ok=True)
            prepare(packages, Path(work))
        case ["count", packages, work]:
            count(packages, Path(work))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
