class Part6:
    def run(self):
        return _private_name(6)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part6().run()
