from dataclasses import dataclass


@dataclass
class Order:
    number: int
    cents: int

    def with_discount(self, percent):
        return Order(self.number, apply_discount(self.cents, percent))


def apply_discount(cents, percent):
    return cents * (100 - percent) // 100
