def unrelated_call():
    return 1
