"""CSV by the standard library; which delimiter, header and types by the protocol's rules."""

import collections
import csv
import io
import re

from .digest import digest

csv.field_size_limit(1 << 30)
_DELIMITERS = [",", "\t", ";", "|"]
_NUMBER = re.compile(r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\Z", re.A)
_DAY = r"(?:\d{4}-\d{1,2}-\d{1,2})"
_DATE = re.compile(
    rf"(?:{_DAY}(?:[T ]\d{{1,2}}:\d\d.*)?|\d{{1,2}}/\d{{1,2}}/\d{{4}}|\d{{1,2}}-\d{{1,2}}-\d{{4}})\Z",
    re.A | re.S,
)


def _text(content):
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _kind(cell):
    cell = cell.strip()
    if not cell:
        return "empty"
    if _NUMBER.match(cell):
        return "number"
    if cell.lower() in ("true", "false", "yes", "no"):
        return "boolean"
    return "date" if _DATE.match(cell) else "string"


def _records(text, delimiter):
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def _delimiter(file, text):
    if file.lower().endswith((".tsv", ".tab")):
        return "\t"
    best = (0.0, 0, ",")
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in _records(text[:65536], delimiter)[:100]]
        if not widths:
            continue
        width, count = max(collections.Counter(widths).items(), key=lambda one: (one[1], one[0]))
        if width > 1 and (count / len(widths), width) > best[:2]:
            best = (count / len(widths), width, delimiter)
    return best[2]


def _header(records):
    first, rows = records[0], records[1:101]
    names = [cell.strip() for cell in first if cell.strip()]
    if not names or len(set(names)) < len(names):
        return False
    if any(_kind(name) in ("number", "date") for name in names):
        return False
    for row in rows:
        for cell, name in zip(row, first):
            if _kind(cell) in ("number", "boolean", "date") and _kind(cell) != _kind(name):
                return True
    return all(len(name) <= 64 for name in names) and not any(
        name.strip() and cell.strip() == name.strip() for row in rows for cell, name in zip(row, first)
    )


def read(file, content):
    text = _text(content)
    records = _records(text, _delimiter(file, text))
    if not records:
        return "csv", [], {"row_count": 0, "column_count": 0}
    header = _header(records)
    width = collections.Counter(map(len, records)).most_common(1)[0][0]
    data = records[1:] if header else records
    entities = []
    for index in range(width):
        named = header and index < len(records[0])
        name = records[0][index] if named else f"Column {index + 1}"
        kinds = {_kind(row[index]) for row in data[:100] if index < len(row)} - {"empty"}
        kind = "empty" if not kinds else kinds.pop() if len(kinds) == 1 else "mixed"
        entities.append(["column", index, digest(name), kind, None])
    ragged = sum(len(row) != width for row in records)
    empty = sum(1 for row in data for cell in row[:width] if not cell.strip())
    counts = {"row_count": len(data), "column_count": width, "ragged_rows": ragged, "empty_cells": empty}
    return "csv", entities, counts
