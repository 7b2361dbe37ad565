

def zipper_tool(value):
    return value
