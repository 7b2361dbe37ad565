#!/usr/bin/env python3
"""Print what the installed comparator knows about languages.

Standard input: ``{"names": [file name], "languages": [key]}``: names to detect
and language keys to describe beside those that the comparator maps itself.

Standard output: one JSON object: ``versions`` of the packages that decide
trees, detection and lexing; ``table``, its own map of file names and
extensions; ``detected``, the language or null of each asked name and of names
made from the table; ``languages``, for each key the query file that Aider
resolves with digest, text, inherit lines and what speaks against compiling it, and
the outside of its grammar; ``queries``, the digest of every query file;
``models``, what it knows of language models.
"""

import hashlib
import importlib.metadata
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from parity_driver import isolation  # noqa: E402

isolation.block_network()

import aider.repomap as repomap  # noqa: E402
import tree_sitter  # noqa: E402
from grep_ast.parsers import PARSERS  # noqa: E402
from grep_ast.tsl import get_language  # noqa: E402

PACKAGES = ("aider-chat", "grep-ast", "tree-sitter", "tree-sitter-language-pack", "tree-sitter-c-sharp", "Pygments")
# The same number as in the engine's own description of a grammar.
SAMPLES = 20_000


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def probes(table):
    """Names that show how the table is looked up: whole, as extension, and in other forms."""
    for key in table:
        yield from (key, f"a{key}", f"a.b{key}", f"{key}.txt", f".{key}", key.upper(), f"a{key.swapcase()}")


def inherits(text):
    return [line for line in text.splitlines() if line.lstrip("; \t").startswith("inherits:")]


def shape(grammar):
    """The grammar's outside, line by line as ``engine::language::GrammarShape`` writes it."""
    kinds, states = grammar.node_kind_count, grammar.parse_state_count
    lines = []
    for kind in range(kinds):
        named, visible = int(grammar.node_kind_is_named(kind)), int(grammar.node_kind_is_visible(kind))
        lines.append(f"kind {kind} {named} {visible} {grammar.node_kind_for_id(kind) or ''}")
    lines += [f"field {field} {grammar.field_name_for_id(field) or ''}" for field in range(1, grammar.field_count + 1)]
    cells = kinds * states
    for cell in range(0, cells, max(cells // SAMPLES, 1)):
        state, kind = divmod(cell, kinds)
        lines.append(f"next {state} {kind} {grammar.next_state(state, kind)}")
    return "".join(line + "\n" for line in lines)


def describe(language):
    found = {"query": None, "query_sha256": None, "query_text": None, "inherits": [], "error": None}
    found.update(abi=None, states=None, shape_sha256=None)
    grammar = None
    try:
        grammar = get_language(language)
        found.update(abi=grammar.abi_version, states=grammar.parse_state_count)
    except Exception as error:  # a language that cannot be loaded is a fact, not a crash
        found["error"] = f"{type(error).__name__}: {error}"
    path = repomap.get_scm_fname(language)
    if path is None or not path.exists():
        return found
    text = path.read_text()
    found["query"] = Path(path).relative_to(Path(repomap.__file__).parent).as_posix()
    found["query_sha256"] = sha256(path.read_bytes())
    found["query_text"] = text
    found["inherits"] = inherits(text)
    if grammar is not None:
        found["shape_sha256"] = sha256(shape(grammar).encode())
        try:
            tree_sitter.Query(grammar, text)
        except Exception as error:
            found["error"] = f"{type(error).__name__}: {error}"
    return found


def models():
    """Aliases, and the input window of every model that the comparator finds in its tables.

    ``aliases`` maps a short name to the name that Aider takes it for. ``windows`` maps a name to
    tokens, or to null where the tables know the model and no window. Asked for are all names of the
    tables, each also behind its provider, because the tables have both forms.
    """
    home = tempfile.mkdtemp(prefix="parity-models-")
    try:
        return resolved(home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def resolved(home):
    # Aider reads the table of models from its home, and would else download it.
    os.environ.update(isolation.child_environment("0", home))
    import aider.models
    from aider.llm import litellm

    # main loads both before it makes a model.
    litellm._load_litellm()
    aider.models.register_litellm_models([Path(aider.models.__file__).parent / "resources" / "model-metadata.json"])
    manager = aider.models.model_info_manager
    tables = {**litellm.model_cost, **manager.local_model_metadata}
    names = set(tables) | set(aider.models.MODEL_ALIASES.values())
    names |= {f"{row['litellm_provider']}/{name}" for name, row in tables.items() if "litellm_provider" in row}
    windows = {}
    talk, sys.stdout = sys.stdout, sys.stderr  # Aider prints why it does not know a model
    try:
        for name in sorted(names):
            info = manager.get_model_info(name)
            if info:
                window = info.get("max_input_tokens")
                windows[name] = window if isinstance(window, int) and window > 0 else None
    finally:
        sys.stdout = talk
    return {"aliases": dict(aider.models.MODEL_ALIASES), "windows": windows}


def main():
    request = json.load(sys.stdin)
    languages = sorted(set(PARSERS.values()) | set(request["languages"]))
    names = sorted(set(request["names"]) | set(probes(PARSERS)))
    folder = Path(repomap.__file__).parent
    queries = sorted(folder.glob("queries/**/*.scm"))
    answer = {
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
        "table": PARSERS,
        "detected": {name: repomap.filename_to_lang(name) for name in names},
        "languages": {language: describe(language) for language in languages},
        "queries": {path.relative_to(folder).as_posix(): sha256(path.read_bytes()) for path in queries},
        "models": models(),
    }
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
