from x import lost_output


def kept_output(value):
    return lost_output(value)
