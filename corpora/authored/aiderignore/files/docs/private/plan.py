from x import main_entry


def private_plan(value):
    return main_entry(value)
