def drop_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('drop')
    return crew


def weigh_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('weigh')
    return crew


def clean_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('clean')
    return crew


def stow_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('stow')
    return crew


def inspect_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('inspect')
    return crew


def lend_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('lend')
    return crew


def repair_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('repair')
    return crew


def paint_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('paint')
    return crew


def count_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('count')
    return crew


def replace_the_stern_anchor_and_its_chain(crew, fathoms, seabed):
    crew.note('replace')
    return crew
