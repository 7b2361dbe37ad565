def staged_function():
    return staged_function()
