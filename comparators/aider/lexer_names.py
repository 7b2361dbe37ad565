#!/usr/bin/env python3
"""Print the names that Aider's lexical backfill would take from each file.

Standard input: ``{"repo": dir, "files": [path]}``, paths relative to ``repo``.
Standard output: one JSON object a line and file, in the order of the request:
``path, lexer, names, error``. ``names`` lists every token of type Name or any
sub-type, in order, duplicates kept. ``lexer`` is the class name that the file
name and text together select, or null when none fits.
"""

import json
import os
import sys

from pygments.lexers import guess_lexer_for_filename
from pygments.token import Token
from pygments.util import ClassNotFound


def names_of(path):
    """Lexer class name and Name tokens of one file, read the way Aider reads it."""
    with open(path, encoding="utf-8") as source:
        code = source.read()
    try:
        lexer = guess_lexer_for_filename(path, code)
    except ClassNotFound:
        return None, []
    names = [text for kind, text in lexer.get_tokens(code) if kind in Token.Name]
    return type(lexer).__name__, names


def main():
    request = json.load(sys.stdin)
    for name in request["files"]:
        row = {"path": name, "lexer": None, "names": [], "error": None}
        try:
            row["lexer"], row["names"] = names_of(os.path.join(os.path.realpath(request["repo"]), name))
        except (OSError, UnicodeError) as error:
            row["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
