from x import main_entry


def linter_tool(value):
    return main_entry(value)
