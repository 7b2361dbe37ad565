from tools.run_pump import run_pump


def kept_entry():
    return run_pump(1)
