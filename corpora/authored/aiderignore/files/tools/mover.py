from x import linter_tool


def mover_tool(value):
    return linter_tool(value)
