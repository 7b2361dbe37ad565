from x import run_beta_two


def run_alpha_one(value):
    return run_beta_two(value)
