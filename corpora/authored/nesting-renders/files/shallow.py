from deep_sum import deep_sum


def shallow_call():
    return deep_sum()
