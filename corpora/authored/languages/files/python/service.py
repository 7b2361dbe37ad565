import orders

LIMIT = 100


async def place_order(number, cents):
    order = orders.Order(number, cents)
    if cents > LIMIT:
        order = order.with_discount(5)
    return order
