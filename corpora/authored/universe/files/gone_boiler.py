def boil(room):
    return room.check_room()
