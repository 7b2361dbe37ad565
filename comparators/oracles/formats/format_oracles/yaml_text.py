"""YAML by libyaml's events (PyYAML), with the scalar types of YAML 1.2's core schema."""

import re

import yaml

from .nested import Shape

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(
    r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
)
_NULLS = {"", "~", "null", "Null", "NULL"}
_TRUTHS = {"true", "True", "TRUE", "false", "False", "FALSE"}
_TAGS = {"int": "number", "float": "number", "bool": "boolean", "null": "null"}
_CORE = "tag:yaml.org,2002:"


def _kind(event):
    if event.tag and event.tag.startswith(_CORE):
        return _TAGS.get(event.tag[len(_CORE) :], "string")
    if event.tag or event.style:
        return "string"
    if event.value in _NULLS:
        return "null"
    if event.value in _TRUTHS:
        return "boolean"
    return "number" if _NUMBER.match(event.value) else "string"


def read(file, content):
    shape = Shape()
    documents = []
    aliases = anchors = 0
    turns = []  # Per open container: True if a key stands next, False if a value, None in lists.
    inside_key = 0
    for event in yaml.parse(content, Loader=_LOADER):
        opens = isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent))
        leaf = isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent))
        if isinstance(event, yaml.DocumentStartEvent):
            documents.append("empty")
        elif opens or leaf:
            if isinstance(event, yaml.AliasEvent):
                kind = "alias"
                aliases += 1
            else:
                anchors += bool(event.anchor)
                if isinstance(event, yaml.ScalarEvent):
                    kind = _kind(event)
                else:
                    kind = "object" if isinstance(event, yaml.MappingStartEvent) else "array"
            if not turns:
                documents[-1] = kind
            is_key = bool(turns) and turns[-1] is True
            if inside_key:
                inside_key += opens
            elif is_key and opens:
                shape.key("?")
                inside_key = 1
            elif is_key:
                shape.key("*" if kind == "alias" else event.value)
            elif opens:
                shape.open(kind)
            else:
                shape.value(kind)
            if opens:
                turns.append(True if kind == "object" else None)
            elif turns and turns[-1] is not None:
                turns[-1] = not turns[-1]
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            turns.pop()
            if inside_key:
                inside_key -= 1
                ended = inside_key == 0
            else:
                shape.close()
                ended = True
            if ended and turns and turns[-1] is not None:
                turns[-1] = not turns[-1]
    entities = [["document", index, kind, None] for index, kind in enumerate(documents)]
    counts = shape.counts()
    counts.update(document_count=len(documents), alias_count=aliases, anchor_count=anchors)
    return f"PyYAML {yaml.__version__}", entities + shape.entities(), counts
