"""Things on sale."""


class Catalogue:
    """All items, by their number.

    Items are kept in the order
    in which they were added.
    """

    def __init__(self):
        self.items = {}

    def add_item(self, number, item):
        self.items[number] = item
        return self

    def find_item(self, number):
        return self.items.get(number)


def load_catalogue(lines):
    catalogue = Catalogue()
    for line in lines:
        number, name = line.split(" ", 1)
        catalogue.add_item(int(number), make_item(name))
    return catalogue


def make_item(name):
    return {"name": name.strip()}
