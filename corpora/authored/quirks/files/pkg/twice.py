def defined_twice():
    return 1


def defined_twice():
    return 2


class First:
    def __init__(self): defined_twice()


class Second:
    def __init__(self): First()


Second()
