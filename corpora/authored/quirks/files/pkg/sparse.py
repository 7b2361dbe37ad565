def a_function():
    x = 1

    y = 2
    return x + y
def b_function():
    return a_function()



def c_function():
    return b_function()
