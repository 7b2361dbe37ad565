def shared_compound_name(n):
    return n


def never_called_anywhere():
    return None
