class Part0:
    def run(self):
        return _private_name(0)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part0().run()
