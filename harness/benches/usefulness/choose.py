"""Choose the files that the questions of gate U1 are about: README.md says the rule. Standard library alone.

    python3 choose.py [CACHE]      prints one row per file: format, corpus, bytes, path
"""

import hashlib
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
LOCKS = HERE.parents[2] / "corpora"
CACHE = pathlib.Path.home() / ".cache/parity/repos"
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


def choose(cache):
    """Per format the first files in the order, from different corpora as far as there are, no text twice."""
    rows, seen, chosen = candidates(cache), set(), []
    skipped = {(row["corpus"], row["path"]) for row in RULE["skipped"]}
    for kind in RULE["format"]:
        matches = [row for row in rows if re.search(kind["path"], "/" + row[2])]
        picked, used = [], set()
        for again in (False, True):
            for _, name, path, file in matches:
                if len(picked) == RULE["files_per_format"] or (name in used and not again):
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


if __name__ == "__main__":
    for row in choose(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE):
        print(*row, sep="\t")
