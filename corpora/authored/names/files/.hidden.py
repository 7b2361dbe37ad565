def hidden_function():
    return command_line()
