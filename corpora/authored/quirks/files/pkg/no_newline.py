def unfinished_file():
    return unfinished_file()