#!/usr/bin/env python3
"""Compare the tags of our query files with those of the pinned Aider queries.

Standard input: ``{"repo": dir, "query_dir": dir, "files": [{"path", "language"}]}``
with paths relative to ``repo``; a missing language is the one Aider detects.

Standard output: one JSON object a line and file, in the order of the request:
``path, language, aider, ours, equal, aider_query_sha256, our_query_sha256``.
``aider`` and ``ours`` are ``{"tags": [[line, name, kind]], "error"}`` with
0-based lines, in canonical order and without the lexical backfill, both
produced by Aider's own extraction code. Exit code 1 when any pair differs or
our query is missing.
"""

import functools
import hashlib
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from parity_driver import canonical, isolation  # noqa: E402

isolation.block_network()

import aider.repomap as repomap  # noqa: E402
from aider.io import InputOutput  # noqa: E402


def no_lexer(_path, _code):
    """Takes the place of the lexer lookup, so that nothing is backfilled."""
    raise LookupError


def extract(extractor, path, language, query):
    """Tags of one file by one query file, through Aider's own code."""
    repomap.filename_to_lang = lambda _path: language
    repomap.get_scm_fname = lambda _language: query
    try:
        tags = [[tag.line, tag.name, tag.kind] for tag in extractor.get_tags_raw(path, path)]
    except Exception as error:  # a query that does not compile is a finding, not a crash
        return {"tags": [], "error": f"{type(error).__name__}: {error}"}
    return {"tags": tags, "error": None}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def main():
    request = json.load(sys.stdin)
    detect, locate = repomap.filename_to_lang, repomap.get_scm_fname
    canonical.install(repomap)
    repomap.guess_lexer_for_filename = no_lexer
    # Queries are compiled once, not once a file.
    repomap.Query = functools.lru_cache(maxsize=None)(repomap.Query)
    # The constructor would open a tags cache inside the repository.
    extractor = object.__new__(repomap.RepoMap)
    extractor.io = InputOutput(pretty=False, yes=True, fancy_input=False)
    all_equal = True
    # Aider prints its complaints on standard output, which carries our answer.
    answer = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for file in request["files"]:
        path = os.path.join(os.path.realpath(request["repo"]), file["path"])
        language = file.get("language") or detect(path)
        row = {"path": file["path"], "language": language}
        ours = Path(request["query_dir"], f"{language}-tags.scm")
        theirs = locate(language) if language else None
        if theirs is None or not theirs.exists():
            row.update(aider=None, ours=None, equal=not ours.exists())
            row.update(aider_query_sha256=None, our_query_sha256=digest(ours))
        else:
            row["aider"] = extract(extractor, path, language, theirs)
            row["ours"] = extract(extractor, path, language, ours)
            row["equal"] = row["aider"] == row["ours"] and ours.exists()
            row.update(aider_query_sha256=digest(theirs), our_query_sha256=digest(ours))
        all_equal = all_equal and row["equal"]
        answer.write(json.dumps(row) + "\n")
    answer.flush()
    sys.stdout.flush()
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
