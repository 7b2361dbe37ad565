from app.pages.home_page import HomePage


def render_fresh(title):
    return HomePage(title).title
