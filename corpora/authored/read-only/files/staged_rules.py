from x import round_cents


def staged_rate(value):
    return round_cents(value)
