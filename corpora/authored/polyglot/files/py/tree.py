import functools

LIMIT = 10


@functools.total_ordering
class Node:
    def __init__(self, key, *children):
        self.key = key
        self.children = list(children)

    def __lt__(self, other):
        return self.key < other.key

    async def walk_nodes(self):
        yield self
        for child in self.children:
            async for node in child.walk_nodes():
                yield node


def build_tree(pairs):
    return Node("root", *[Node(key) for key, _ in pairs])
