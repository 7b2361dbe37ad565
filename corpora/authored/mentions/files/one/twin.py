from x import second_twin


def first_twin(value):
    return second_twin(value)
