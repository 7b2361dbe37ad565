

def scan_text(value):
    return value
