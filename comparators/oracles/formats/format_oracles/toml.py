"""TOML by the standard library."""

import tomllib

from .digest import digest
from .nested import Shape, below, item, walk


def _kind(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "datetime"


def _tables(document):
    """Path and form of every table but the root: `array` for an item of an array."""
    stack = [("", document)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                if isinstance(inner, dict):
                    yield below(path, name), "table"
                stack.append((below(path, name), inner))
        elif isinstance(value, list):
            for inner in value:
                if isinstance(inner, dict):
                    yield item(path), "array"
                stack.append((item(path), inner))


def read(file, content):
    document = tomllib.loads(content.decode("utf-8-sig"))
    shape = Shape()
    walk(document, shape, _kind)
    tables = list(_tables(document))
    entities = [["table", digest(path), None] for path in sorted({path for path, _ in tables})]
    counts = shape.counts()
    counts["section_count"] = sum(form == "table" for _, form in tables)
    counts["array_table_count"] = sum(form == "array" for _, form in tables)
    return "tomllib", entities + shape.entities(), counts
