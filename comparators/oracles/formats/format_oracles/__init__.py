"""One module per format, each with read(file, content) -> (oracle, entities, counts)."""
