

def round_cents(value):
    return value
