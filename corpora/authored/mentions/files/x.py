from x import long_road


def x_marks(value):
    return long_road(value)
