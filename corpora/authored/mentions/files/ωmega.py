

def größenordnung(value):
    return value
