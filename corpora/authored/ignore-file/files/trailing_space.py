from x import parse_text


def trailing_space(value):
    return parse_text(value)
