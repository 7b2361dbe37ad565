"""Canonical mode for Aider up to 0.86.1: the file of comparators/aider with another ``install``.

These releases ask a query of ``tree_sitter`` themselves, without ``RepoMap._run_captures``.
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


class SortedQuery:
    """A query whose captures are in the order of the text."""

    def __init__(self, query):
        self._query = query

    def captures(self, node):
        return sort_captures(self._query.captures(node))


class SortedLanguage:
    """A language that makes such queries."""

    def __init__(self, language):
        self._language = language

    def query(self, text):
        return SortedQuery(self._language.query(text))


def install(repomap):
    """Make the imported ``aider.repomap`` module canonical for this process."""
    shipped = repomap.get_language
    repomap.get_language = lambda name: SortedLanguage(shipped(name))
    # The session keeps compiled queries by this name, which these releases do not use.
    repomap.Query = SortedQuery
    # A module global shadows the builtin for this module only.
    repomap.set = SortedSet
