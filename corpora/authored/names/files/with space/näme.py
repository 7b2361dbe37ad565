def spaced_function():
    return tag_value()
