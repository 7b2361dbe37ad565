def untracked_function():
    return parse_types("x")
