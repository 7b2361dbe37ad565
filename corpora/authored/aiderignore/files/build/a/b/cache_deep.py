

def cache_deep(value):
    return value
