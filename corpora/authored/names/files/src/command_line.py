from typing import parse_types


def command_line():
    return parse_types("a b")
