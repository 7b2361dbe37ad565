def dos_lines():
    return 1


def mac_lines():    return dos_lines()
mac_lines()
