from x import linter_tool


def file_not_folder(value):
    return linter_tool(value)
