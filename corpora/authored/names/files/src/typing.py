def parse_types(text):
    return text.split()
