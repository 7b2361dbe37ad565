from shared.format_text import bold_text


class HomePage:
    def __init__(self, title):
        self.title = title


def render_home(title):
    return bold_text(HomePage(title).title)
