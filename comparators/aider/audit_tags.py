#!/usr/bin/env python3
"""Print the tags and the lexical names that Aider takes from each file.

Standard input: first the line ``{"names": "fired" | "all"}``, then one JSON
object a line, ``{"path": absolute path}``.

Standard output: one JSON object a line and file, in the same order: ``path``,
``language`` (the one Aider detects, or null), ``tags``, ``lexer``, ``names``,
``error``. ``tags`` are ``[row, name, kind]`` with 0-based rows, in canonical
order and without the lexical backfill, made by Aider's own extraction code
from Aider's own query; null where Aider has no query for the language.
``names`` are the tokens of type Name or any sub-type, duplicates kept, and
``lexer`` the main alias of the lexer that file name and text select; both are
null where none fits, and, asked for "fired", where Aider would not look.
"""

import functools
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from parity_driver import canonical, isolation  # noqa: E402

isolation.block_network()

import aider.repomap as repomap  # noqa: E402
from aider.io import InputOutput  # noqa: E402
from pygments.lexers import guess_lexer_for_filename  # noqa: E402
from pygments.token import Token  # noqa: E402
from pygments.util import ClassNotFound  # noqa: E402


class OneText:
    """Stands in for Aider's terminal; reads through it and keeps the last text."""

    def __init__(self):
        self._io = InputOutput(pretty=False, yes=True, fancy_input=False)
        self.text = None

    def read_text(self, path):
        self.text = self._io.read_text(path)
        return self.text


def no_lexer(_path, _code):
    """Takes the place of the lexer lookup, so that nothing is backfilled."""
    raise LookupError


def lexical(path, text):
    """Main alias of the lexer and the names it finds, as the backfill takes them."""
    try:
        lexer = guess_lexer_for_filename(path, text)
    except ClassNotFound:
        return None, None
    names = [value for kind, value in lexer.get_tokens(text) if kind in Token.Name]
    return (lexer.aliases or [type(lexer).__name__])[0], names


def fires(tags):
    kinds = {kind for _row, _name, kind in tags}
    return kinds == {"def"}


def examine(extractor, path, names):
    language = repomap.filename_to_lang(path)
    row = {"path": path, "language": language, "tags": None, "lexer": None, "names": None, "error": None}
    query = repomap.get_scm_fname(language) if language else None
    if query is None or not query.exists():
        return row
    extractor.io.text = None
    try:
        row["tags"] = [[tag.line, tag.name, tag.kind] for tag in extractor.get_tags_raw(path, path)]
        if extractor.io.text and (names == "all" or fires(row["tags"])):
            row["lexer"], row["names"] = lexical(path, extractor.io.text)
    except Exception as error:  # what ends Aider's run is a finding here, not a crash
        row["error"] = f"{type(error).__name__}: {error}"
    return row


def main():
    # Aider prints its complaints on standard output, which carries our answer.
    answer = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    canonical.install(repomap)
    repomap.guess_lexer_for_filename = no_lexer
    # Queries are compiled once, not once a file.
    repomap.Query = functools.lru_cache(maxsize=None)(repomap.Query)
    # The constructor would open a tags cache inside the repository.
    extractor = object.__new__(repomap.RepoMap)
    extractor.io = OneText()
    names = json.loads(sys.stdin.readline())["names"]
    for line in sys.stdin:
        answer.write(json.dumps(examine(extractor, json.loads(line)["path"], names)) + "\n")
        answer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
