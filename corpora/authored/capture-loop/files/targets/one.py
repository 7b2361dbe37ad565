def target_one(value):
    return value
