"""INI by configparser, Java properties by javaproperties, environment files by python-dotenv."""

import configparser
import io

from .digest import digest

_GLOBAL = "(global)"


class _Counting(dict):
    """A section that counts assignments: while it reads, the parser sets each occurrence of a key
    anew, to a list or to None."""

    occurrences = 0
    reading = True

    def __setitem__(self, name, value):
        if _Counting.reading and (value is None or isinstance(value, list)):
            _Counting.occurrences += 1
        super().__setitem__(name, value)


class _Parser(configparser.RawConfigParser):
    def optionxform(self, name):
        return name

    def _join_multiline_values(self):
        _Counting.reading = False
        super()._join_multiline_values()


def _text(content):
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read(file, content):
    name = file.rsplit("/", 1)[-1].lower()
    text = _text(content)
    if name.endswith(".properties"):
        import javaproperties

        pairs = javaproperties.parse(io.StringIO(text))
        keys = [pair.key for pair in pairs if isinstance(pair, javaproperties.KeyValue)]
        return _flat("javaproperties", keys)
    if name.endswith(".env") or name.startswith(".env"):
        from dotenv.parser import parse_stream

        bindings = list(parse_stream(io.StringIO(text)))
        if any(binding.error for binding in bindings):
            raise ValueError("a line is no assignment")
        return _flat("python-dotenv", [one.key for one in bindings if one.key is not None])
    _Counting.occurrences, _Counting.reading = 0, True
    parser = _Parser(
        strict=False, allow_no_value=True, interpolation=None, dict_type=_Counting,
        default_section="\0none",
    )
    parser.read_string(text)
    entities = []
    distinct = 0
    for section in parser.sections():
        entities.append(["section", digest(section), None])
        for option in parser.options(section):
            distinct += 1
            entities.append(["key", digest(section), digest(option), None])
    counts = {"total_keys": _Counting.occurrences, "distinct_keys": distinct}
    return "configparser", entities, counts


def _flat(oracle, keys):
    entities = [["key", digest(_GLOBAL), digest(key), None] for key in sorted(set(keys))]
    if keys:
        entities.append(["section", digest(_GLOBAL), None])
    return oracle, entities, {"total_keys": len(keys), "distinct_keys": len(set(keys))}
