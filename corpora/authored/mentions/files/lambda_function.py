from x import größenordnung


def lambda_handler(value):
    return größenordnung(value)
