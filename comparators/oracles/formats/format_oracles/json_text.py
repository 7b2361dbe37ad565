"""JSON by the standard library, strictly; JSON5 and JSON with comments by pyjson5."""

import json

from .nested import Pairs, Shape, walk


def _no_constant(name):
    raise ValueError(f"{name} is no JSON")


def _kind(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def read(file, content):
    text = content.decode("utf-8-sig" if content[:3] == b"\xef\xbb\xbf" else json.detect_encoding(content))
    extension = file.rsplit(".", 1)[-1].lower()
    oracle = "json"
    decoder = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=_no_constant)
    if extension in ("json5", "jsonc"):
        import pyjson5

        oracle = "pyjson5"
        documents = [pyjson5.decode(text)]
    elif extension in ("jsonl", "ndjson"):
        documents = [decoder.decode(line) for line in text.split("\n") if line.strip()]
    else:
        documents = [decoder.decode(text)]
    shape = Shape()
    for document in documents:
        walk(document, shape, _kind)
    counts = shape.counts()
    counts["document_count"] = len(documents)
    if extension == "ipynb":
        _notebook(json.loads(text), counts)
    return oracle, shape.entities(), counts


def _notebook(document, counts):
    cells = document.get("cells") or [
        cell for sheet in document.get("worksheets", []) for cell in sheet.get("cells", [])
    ]
    counts["cell_count"] = len(cells)
    counts["code_cells"] = sum(cell.get("cell_type") == "code" for cell in cells)
    counts["markdown_cells"] = sum(cell.get("cell_type") == "markdown" for cell in cells)
