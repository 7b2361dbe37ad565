from app.main_app import start_application

print(start_application("outside the subtree, though its name begins like it"))
