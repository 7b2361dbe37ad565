def bold_text(text):
    return f"*{text}*"
