from staged_valve import helper_flow


def loose_flow():
    return helper_flow(7)
