from app.pages.home_page import render_home
from app.fresh_page import render_fresh


def start_application(name):
    return render_home(name) + render_fresh(name)
