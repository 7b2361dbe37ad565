# Definitions only: the names come from the lexer.
class Empty(Exception):
    label: str = f"é {1 + 1!r:>{4}}"


def nothing(x, *args, **kwargs) -> None:
    """Nothing
    at all."""
    return None if x else r'\d' b"bytes" 0
