

def root_only(value):
    return value
