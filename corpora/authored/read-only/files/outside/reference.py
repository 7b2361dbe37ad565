from x import net_price


def reference_price(value):
    return net_price(value)
