"""Gold for data formats: what independent parsers find in files.

File paths come on standard input, one a line; one JSON object a file goes out, one a line:
{"file", "format", "oracle", "error", "entities": [[kind, identity..., line or null]], "counts"}.
Every text of a file (keys, headings, values, addresses) appears only as a digest.
"""

import argparse
import json
import os
import sys

from format_oracles import csv_table, digest, html, ini, json_text, toml, xml, yaml_text

FORMATS = {
    "json": json_text.read,
    "yaml": yaml_text.read,
    "toml": toml.read,
    "ini": ini.read,
    "csv": csv_table.read,
    "xml": xml.read,
    "html": html.read,
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--format", required=True, choices=sorted(FORMATS))
    arguments.add_argument("--root", required=True, help="the folder that the paths start from")
    arguments.add_argument("--salt", required=True, help="the protocol's salt of digests")
    options = arguments.parse_args()
    digest.set_salt(options.salt)
    read = FORMATS[options.format]
    for line in sys.stdin:
        file = line.rstrip("\n")
        if not file:
            continue
        answer = {"file": file, "format": options.format, "oracle": None, "error": None}
        try:
            with open(os.path.join(options.root, file), "rb") as opened:
                content = opened.read()
            oracle, entities, counts = read(file, content)
            answer.update(oracle=oracle, entities=entities, counts=counts)
        except RecursionError:
            answer["error"] = "RecursionError"
        except Exception as error:  # A file that its oracle refuses is excluded from gold.
            # The message may quote the file, so that the kind of error has to do.
            answer["error"] = type(error).__name__
        answer.setdefault("entities", [])
        answer.setdefault("counts", {})
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
