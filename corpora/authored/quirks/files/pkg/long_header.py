class Documented:
    """A class whose header is longer than ten lines.

    one
    two
    three
    four
    five
    six
    seven
    eight
    nine
    ten
    eleven
    """

    class Nested:
        def deepest_method(self):
            def inner_function():
                return self
            return inner_function

    def documented_method(self): return self.Nested().deepest_method()


def caller_of_methods():
    return Documented().documented_method()
