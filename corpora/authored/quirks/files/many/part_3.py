class Part3:
    def run(self):
        return _private_name(3)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part3().run()
