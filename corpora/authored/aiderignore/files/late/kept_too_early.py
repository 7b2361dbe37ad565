

def kept_too_early(value):
    return value
