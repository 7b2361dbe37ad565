"""Choose the files that the questions of gate U1 are about: README.md says the rule. Standard library alone.

    python3 choose.py [CACHE]             prints one row per file: format, corpus, bytes, path
    python3 choose.py second [CACHE]      the same for the second set
"""

import hashlib
import json
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
LOCKS = HERE.parents[2] / "corpora"
CACHE = pathlib.Path.home() / ".cache/parity/repos"
FIRST = HERE / "questions.jsonl"
RULE = tomllib.loads((HERE / "rule.toml").read_text())


def corpora(cache):
    """Name and checkout of every locked corpus that is in the cache and that we did not write ourselves."""
    found = {}
    for lock in sorted(LOCKS.glob("*.lock.toml")):
        for row in tomllib.loads(lock.read_text()).get("corpus", []):
            name, commit = row["name"], row.get("commit", "")
            root = cache / f"{name}-{commit[:12]}"
            if commit and root.is_dir() and not name.startswith("authored-"):
                found[name] = root
    return found


def order(corpus, path):
    return hashlib.sha256(f"{corpus}/{path}".encode()).hexdigest()


def candidates(cache):
    """Every file of the right size outside of vendored folders, in the order of its sha256."""
    low, high = RULE["bytes"]
    vendored = re.compile(RULE["vendored"])
    rows = []
    for name, root in corpora(cache).items():
        for file in root.rglob("*"):
            path = file.relative_to(root).as_posix()
            if path.startswith(".git/") or vendored.search("/" + path) or file.is_symlink() or not file.is_file():
                continue
            if low <= file.stat().st_size <= high:
                rows.append((order(name, path), name, path, file))
    return sorted(rows)


def readable(kind, data):
    """Text has to be UTF-8 without a line that only a program would write; a binary format takes any bytes."""
    if kind.get("binary"):
        return True
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return max(map(len, text.split("\n"))) <= RULE["longest_line"]


def split(corpus):
    return "test" if int(hashlib.sha256(corpus.encode()).hexdigest(), 16) % 2 else "development"


def pick(rows, files_per_format, seen):
    """Per format the first files in the order, from different corpora as far as there are, no text twice."""
    chosen = []
    skipped = {(row["corpus"], row["path"]) for row in RULE["skipped"]}
    for kind in RULE["format"]:
        matches = [row for row in rows if re.search(kind["path"], "/" + row[2])]
        picked, used = [], set()
        for again in (False, True):
            for _, name, path, file in matches:
                if len(picked) == files_per_format or (name in used and not again):
                    continue
                data = file.read_bytes()
                digest = hashlib.sha256(data).hexdigest()
                if digest in seen or (name, path) in skipped or not readable(kind, data):
                    continue
                seen.add(digest)
                used.add(name)
                picked.append((kind["name"], name, len(data), path))
        chosen += picked
    return chosen


def choose(cache):
    """The files of the first set."""
    return pick(candidates(cache), RULE["files_per_format"], set())


def choose_second(cache):
    """The files of the second set: of the corpora of the development split alone, the next in the order that no
    question of the first set is about."""
    rows = [row for row in candidates(cache) if split(row[1]) == "development"]
    first = [line for line in FIRST.read_text().splitlines() if '"split": "development"' in line]
    return pick(rows, RULE["second"]["files_per_format"], {json.loads(line)["sha256"] for line in first})


if __name__ == "__main__":
    second = sys.argv[1:2] == ["second"]
    arguments = sys.argv[2:] if second else sys.argv[1:]
    for row in (choose_second if second else choose)(pathlib.Path(arguments[0]) if arguments else CACHE):
        print(*row, sep="\t")
