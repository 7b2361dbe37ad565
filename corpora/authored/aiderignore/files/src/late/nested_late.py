

def nested_late(value):
    return value
