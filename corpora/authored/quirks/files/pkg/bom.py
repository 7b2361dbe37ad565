def after_the_mark():
    return 1


after_the_mark()
