class Part1:
    def run(self):
        return _private_name(1)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part1().run()
