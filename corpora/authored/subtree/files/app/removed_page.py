def removed_page():
    return None
