from x import first_twin


def hidden_call(value):
    return first_twin(value)
