class Part5:
    def run(self):
        return _private_name(5)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part5().run()
