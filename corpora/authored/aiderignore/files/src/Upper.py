

def upper_case(value):
    return value
