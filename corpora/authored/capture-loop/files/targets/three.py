def target_three(value):
    return value
