"""Parts of the Aider comparator driver; ``driver.py`` beside this package is the entry."""
