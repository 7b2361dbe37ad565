from x import parse_text


def print_text(value):
    return parse_text(value)
