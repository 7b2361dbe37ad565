from x import scan_text


def parse_text(value):
    return scan_text(value)
