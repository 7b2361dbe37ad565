from x import land_ferry


def sail_ferry(value):
    return land_ferry(value)
