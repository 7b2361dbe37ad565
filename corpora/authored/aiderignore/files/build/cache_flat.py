

def cache_flat(value):
    return value
