def gone_function():
    pass
