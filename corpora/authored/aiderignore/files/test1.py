

def test_one(value):
    return value
