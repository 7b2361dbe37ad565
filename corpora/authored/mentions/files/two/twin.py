

def second_twin(value):
    return value
