from x import kept_output
from x import keep_deep


def main_entry(value):
    return kept_output(value) + keep_deep(value)
