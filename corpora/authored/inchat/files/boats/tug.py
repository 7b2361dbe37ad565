from x import sail_ferry
from x import land_ferry


def tow_ship(value):
    return sail_ferry(value) + land_ferry(value)
