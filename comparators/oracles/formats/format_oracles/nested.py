"""Paths, types and counts of nested values, for JSON, YAML and TOML.

A parser's result becomes events: ("open", kind), ("key", name), ("value", kind), ("close",).
A path is written as jq writes it; items of an array are all at path[].
"""

import json
import re

from .digest import digest

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def below(path, name):
    if _PLAIN.match(name):
        return f"{path}.{name}"
    return f"{path or '.'}[{json.dumps(name, ensure_ascii=False)}]"


def item(path):
    return f"{path or '.'}[]"


class Shape:
    """What is at which path, and how much of it there is."""

    def __init__(self):
        self.keys = set()
        self.total_keys = self.array_elements = self.max_depth = 0
        self.kinds = {}
        self.frames = []
        self.pending = None

    def _begin(self, kind):
        self.max_depth = max(self.max_depth, len(self.frames))
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if not self.frames:
            return ""
        frame = self.frames[-1]
        if frame["array"]:
            self.array_elements += 1
            return item(frame["path"])
        self.keys.add((self.pending, kind))
        return self.pending

    def open(self, kind):
        path = self._begin(kind)
        self.frames.append({"path": path, "array": kind == "array", "names": set()})

    def close(self):
        self.frames.pop()

    def key(self, name):
        frame = self.frames[-1]
        if name not in frame["names"]:
            frame["names"].add(name)
            self.total_keys += 1
        self.pending = below(frame["path"], name)

    def value(self, kind):
        self._begin(kind)

    def entities(self):
        return [["key", digest(path), kind, None] for path, kind in sorted(self.keys)]

    def counts(self):
        return {
            "total_keys": self.total_keys,
            "total_array_elements": self.array_elements,
            "max_depth": self.max_depth,
        }


def walk(value, shape, kind_of):
    """Goes through Python values without recursion. Objects are dicts or lists of pairs in Pairs."""
    stack = [("value", value)]
    while stack:
        step, value = stack.pop()
        if step == "close":
            shape.close()
        elif step == "key":
            shape.key(value)
        elif isinstance(value, (dict, Pairs)):
            shape.open("object")
            stack.append(("close", None))
            pairs = value.items() if isinstance(value, dict) else value.pairs
            for name, inner in reversed(list(pairs)):
                stack.append(("value", inner))
                stack.append(("key", name))
        elif isinstance(value, list):
            shape.open("array")
            stack.append(("close", None))
            stack.extend(("value", inner) for inner in reversed(value))
        else:
            shape.value(kind_of(value))


class Pairs:
    """An object whose repeated keys are all there."""

    def __init__(self, pairs):
        self.pairs = pairs
