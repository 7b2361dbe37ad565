from x import run_alpha_one


def untracked_plan(value):
    return run_alpha_one(value)
