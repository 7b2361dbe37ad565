class Part2:
    def run(self):
        return _private_name(2)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part2().run()
