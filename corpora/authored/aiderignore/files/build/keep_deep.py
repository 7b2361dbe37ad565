from x import cache_deep


def keep_deep(value):
    return cache_deep(value)
