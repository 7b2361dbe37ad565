from x import round_cents


def add_tax(value):
    return round_cents(value)
