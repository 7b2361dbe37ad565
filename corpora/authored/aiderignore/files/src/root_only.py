from x import main_entry


def inner_root_only(value):
    return main_entry(value)
