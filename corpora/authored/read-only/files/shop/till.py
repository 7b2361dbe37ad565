from x import add_tax
from x import staged_rate


def net_price(value):
    return add_tax(value) + staged_rate(value)
