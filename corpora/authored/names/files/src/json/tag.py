def tag_value():
    return 1
