"""Gold for documents, databases and binary families, from parsers that are not ours.

    oracle.py --format FORMAT --root DIR --salt SALT < paths

Paths come one a line, relative to the root; one JSON object a line goes out:

    {"file", "format", "oracle", "error": null or text, "entities": [[kind, identity…, line or null]],
     "counts": {field: number}}

A file that the parser refuses has an error and is no gold. Every text of a file (a heading, a
target, the name of a column) is given as the first 16 hexadecimal digits of the sha256 of salt,
a zero byte and the text, so that gold can be committed without the text.
"""

import argparse
import hashlib
import json
import os
import sys

import binaries
import documents

FORMATS = {**documents.FORMATS, **binaries.FORMATS}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--format", required=True, choices=sorted(FORMATS))
    arguments.add_argument("--root", required=True)
    arguments.add_argument("--salt", default="")
    given = arguments.parse_args()

    def digest(text):
        data = given.salt.encode() + b"\0" + str(text).encode("utf-8", "surrogateescape")
        return hashlib.sha256(data).hexdigest()[:16]

    read, oracle = FORMATS[given.format]
    for line in sys.stdin:
        name = line.rstrip("\n")
        if not name:
            continue
        row = {"file": name, "format": given.format, "oracle": oracle, "error": None}
        try:
            entities, counts = read(os.path.join(given.root, name), digest)
            row["entities"], row["counts"] = sorted(entities, key=json.dumps), counts
        except RecursionError:
            row["error"] = "the parser ran out of stack"
        except Exception as error:  # Whatever a parser raises, the file is no gold.
            row["error"] = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps(row, sort_keys=True), flush=True)


if __name__ == "__main__":
    main()
