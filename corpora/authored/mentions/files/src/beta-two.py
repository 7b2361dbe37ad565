from x import gamma_ray


def run_beta_two(value):
    return gamma_ray(value)


class Beta2:
    _private = 1
