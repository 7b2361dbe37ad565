def before_the_feed():
    return 1

def after_the_feed():
    return before_the_feed()

class LateClass:
    pass


after_the_feed(); LateClass()
