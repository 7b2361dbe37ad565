"""Compares the choice of explorers with libmagic, over every file of the corpora that are in a cache.

    python3 comparators/dispatch/matrix.py REPOSITORIES PROGRAM REPORT

REPOSITORIES is the folder with the corpora as git repositories, PROGRAM the built example `dispatch` of
the crate `explore`, and REPORT the JSON file that is written. `mime.toml` beside this file says what is
judged. Empty files and symbolic links are left out.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).parent


def run(argv, text):
    return subprocess.run(argv, input=text, capture_output=True, text=True, check=True).stdout


def files(root):
    for name in sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        if not os.path.isdir(os.path.join(folder, ".git")):
            continue
        listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], capture_output=True, check=True)
        for raw in sorted(listed.stdout.split(b"\0")):
            path = os.path.join(folder, raw.decode("utf-8", "surrogateescape"))
            plain = raw and b"\n" not in raw and raw.isascii()
            if plain and os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path):
                yield name.rsplit("-", 1)[0], path


def extension(path):
    stem, dot, end = os.path.basename(path).rpartition(".")
    return end.lower() if dot and stem else ""


def main(root, program, report):
    rules = tomllib.loads((HERE / "mime.toml").read_text())
    version = run(["file", "--version"], "").split("\n")[0]
    if version != rules["version"]:
        sys.exit(f"the measurement is pinned to {rules['version']}, and this is {version}")
    every = list(files(root))
    paths = "".join(f"{path}\n" for _, path in every)
    theirs = run(["file", "--brief", "--mime-type", "--files-from", "-"], paths).splitlines()
    ours = [line.split("\t") for line in run([program], paths).splitlines()]
    assert len(theirs) == len(ours) == len(every)
    evidence = collections.Counter(rests_on for _, rests_on, _ in ours)
    result = {
        "what": "choice of explorers against libmagic; see comparators/dispatch",
        "version": version,
        "corpora": len({corpus for corpus, _ in every}),
        "files": len(every),
        "extensions": len({extension(path) for _, path in every}),
        "evidence": dict(sorted(evidence.items())),
    }
    for table in ("signature", "guess"):
        result[table] = compare(root, rules[table], zip(every, theirs, ours))
        right, asked = result[table]["right"], result[table]["files"]
        print(f"{table}: {right} of {asked} files: {right / asked:.5f}")
    pathlib.Path(report).write_text(json.dumps(result, indent=1) + "\n")


def compare(root, allowed, rows):
    matrix, extensions = collections.Counter(), set()
    wrong = collections.defaultdict(list)
    for (corpus, path), mime, (explorer, _, _) in rows:
        if mime not in allowed:
            continue
        extensions.add(extension(path))
        matrix[mime, explorer] += 1
        if explorer not in allowed[mime]:
            inside = os.path.relpath(path, root).split(os.sep, 1)[1]
            wrong[f"{mime} as {explorer}, .{extension(path)}"].append(f"{corpus}/{inside}")
    files, missed = sum(matrix.values()), sum(map(len, wrong.values()))
    return {
        "files": files,
        "extensions": len(extensions),
        "right": files - missed,
        "accuracy": round((files - missed) / files, 5),
        "matrix": [[*key, count] for key, count in sorted(matrix.items())],
        "differences": {
            key: {"files": len(paths), "first": min(paths)} for key, paths in sorted(wrong.items())
        },
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
