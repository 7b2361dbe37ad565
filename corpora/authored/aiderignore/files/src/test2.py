

def test_two(value):
    return value
