"""Gold of logs: labels that were written by hand, looked up by the digest of the file.

File paths come on standard input, one a line; one JSON object a file goes out, one a line:
{"file", "oracle", "error", "entities": [[kind, identity..., line or null]], "counts"}. The text of
a log is read for its digest only. A file without labels is an error, so that it has no gold.
"""

import argparse
import hashlib
import json
import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
MARKS = {"-", "error", "warning"}
# Levels whose lines are errors.
ERRORS = {"error", "critical", "fatal"}


def read(name):
    with open(os.path.join(HERE, name), "rb") as file:
        return tomllib.load(file)


def line_numbers(text):
    """The numbers in a list such as `3,7-9`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def labels_of(file, classes):
    """(line, level, timestamp, mark, group) of each labelled line; raises what is inconsistent."""
    seen = set()
    for row in file["labels"].splitlines():
        if not row:
            continue
        numbers, level, timestamp, mark = row.split()
        mark, _, group = mark.partition(":")
        known = (
            level in ("-", *classes["levels"])
            and timestamp in ("-", *classes["timestamps"])
            and mark in MARKS
            and (mark == "error") >= bool(group)
            and (level == "-" or (mark == "error") == (level in ERRORS))
        )
        if not known:
            raise ValueError(f"{file['path']}: {row!r} is no label")
        for number in line_numbers(numbers):
            if number in seen or not 1 <= number <= file["lines"]:
                raise ValueError(f"{file['path']}: line {number} is labelled twice or is not there")
            seen.add(number)
            yield number, level, timestamp, mark, group


def answer(file, classes):
    """The entities and counts that the labels of a file make."""
    entities, groups = [], {}
    errors = warnings = timestamps = 0
    levels, patterns = set(), set()
    for line, level, timestamp, mark, group in sorted(labels_of(file, classes)):
        if level != "-":
            name = classes["levels"][level]
            levels.add(name)
            entities.append(["level", name, line])
        if timestamp != "-":
            name = classes["timestamps"][timestamp]
            patterns.add(name)
            timestamps += 1
            entities.append(["timestamp", name, line])
        if mark == "error":
            errors += 1
            entities.append(["error", line, None])
        if mark == "warning" or level == "warning":
            warnings += 1
            entities.append(["warning", line, None])
        if group:
            groups.setdefault(group, []).append(line)
    for group, lines in groups.items():
        if len(lines) < 2:
            raise ValueError(f"{file['path']}: {group} has one line, and repeats nothing")
        entities.extend(["repeated_error", lines[0], line, None] for line in lines)
    counts = {
        "line_count": file["lines"] - file["empty"],
        "error_count": errors,
        "warning_count": warnings,
        "timestamped_line_count": timestamps,
        "level_count": len(levels),
        "timestamp_pattern_count": len(patterns),
    }
    return {"entities": entities, "counts": counts}


def all_labels():
    """The answer to each labelled file by the digest of its content."""
    classes = read("classes.toml")
    folder = os.path.join(HERE, "labels")
    return {
        file["sha256"]: answer(file, classes)
        for name in sorted(os.listdir(folder))
        for file in read(os.path.join("labels", name))["file"]
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--root", required=True, help="the folder that the paths start from")
    root = arguments.parse_args().root
    labels = all_labels()
    for line in sys.stdin:
        path = line.rstrip("\n")
        if not path:
            continue
        with open(os.path.join(root, path), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        found = labels.get(digest)
        reply = {"file": path, "oracle": "hand labels 1", "error": None if found else "unlabelled"}
        print(json.dumps({**reply, **(found or {})}), flush=True)


if __name__ == "__main__":
    main()
