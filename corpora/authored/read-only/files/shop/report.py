from x import net_price
from x import add_tax


def print_report(value):
    return net_price(value) + add_tax(value)
