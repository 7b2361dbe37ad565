def other_app():
    return 2
