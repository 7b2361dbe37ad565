from x import parse_text


def transition(value):
    return parse_text(value)
