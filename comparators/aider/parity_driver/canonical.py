"""Canonical mode: Aider unchanged, but every hash order replaced by a sorted order.

Aider's map depends on two accidental orders. ``tree_sitter`` returns captured
nodes in heap-address order, and Aider repeats the last node of each list, so
an arbitrary identifier gains a reference. String sets follow the hash seed,
which changes edge weights, because a count is square-rooted once per definer.
Sorting both makes the result a function of the repository alone.
"""


class SortedSet:
    """Stands in for ``set`` inside ``aider.repomap``; iterates in sorted order.

    It has only the operations that module uses, so an Aider release that
    needs another one fails loudly instead of falling back to hash order.
    """

    def __init__(self, items=()):
        self._items = dict.fromkeys(items)

    def add(self, item):
        self._items[item] = None

    def remove(self, item):
        del self._items[item]

    def update(self, items):
        for item in items:
            self._items[item] = None

    def union(self, *others):
        merged = SortedSet(self._items)
        for other in others:
            merged.update(other)
        return merged

    def intersection(self, other):
        # Any iterable may come in, so membership is tested against a real set.
        wanted = set(other)
        return SortedSet(item for item in self._items if item in wanted)

    def __contains__(self, item):
        return item in self._items

    def __iter__(self):
        return iter(sorted(self._items))

    def __len__(self):
        return len(self._items)


def sort_captures(captures):
    """Order each capture name's nodes by byte range; names keep first-hit order."""
    return {
        name: sorted(nodes, key=lambda node: (node.start_byte, node.end_byte))
        for name, nodes in captures.items()
    }


def install(repomap):
    """Make the imported ``aider.repomap`` module canonical for this process."""
    shipped = repomap.RepoMap._run_captures

    def run_captures(self, query, node):
        return sort_captures(shipped(self, query, node))

    repomap.RepoMap._run_captures = run_captures
    # A module global shadows the builtin for this module only.
    repomap.set = SortedSet
