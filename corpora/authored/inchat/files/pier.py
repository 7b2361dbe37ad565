

def land_ferry(value):
    return value
