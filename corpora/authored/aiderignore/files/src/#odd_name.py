

def odd_name(value):
    return value
