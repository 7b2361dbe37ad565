from x import inner_root_only


def test_twelve(value):
    return inner_root_only(value)
