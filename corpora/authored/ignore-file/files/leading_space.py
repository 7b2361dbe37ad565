from x import parse_text


def leading_space(value):
    return parse_text(value)
