# café
def not_utf8():
    pass
