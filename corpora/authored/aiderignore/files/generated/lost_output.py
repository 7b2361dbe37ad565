

def lost_output(value):
    return value
