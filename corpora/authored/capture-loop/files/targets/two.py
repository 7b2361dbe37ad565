def target_two(value):
    return value
