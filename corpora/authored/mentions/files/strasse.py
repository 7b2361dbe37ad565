

def long_road(value):
    return value
