class Part4:
    def run(self):
        return _private_name(4)


def _private_name(n):
    return shared_compound_name(n)


def run():
    return Part4().run()
