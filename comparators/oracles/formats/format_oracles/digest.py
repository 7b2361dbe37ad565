"""Salted digests: gold says which text stands in a file without repeating it."""

import hashlib
import re

_state = {"salt": ""}
_HALF_PAIRS = re.compile("[\ud800-\udfff]")


def set_salt(salt):
    _state["salt"] = salt


def digest(text):
    """16 hexadecimal digits for a text. Half a surrogate pair counts as U+FFFD."""
    clean = _HALF_PAIRS.sub("\ufffd", text)
    return hashlib.sha256(f"{_state['salt']}\0{clean}".encode()).hexdigest()[:16]
