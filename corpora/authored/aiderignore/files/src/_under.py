

def under_score(value):
    return value
