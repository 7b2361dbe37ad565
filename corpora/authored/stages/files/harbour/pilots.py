def hire_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('hire')
    return vessel


def wake_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('wake')
    return vessel


def pay_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('pay')
    return vessel


def warn_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('warn')
    return vessel


def relieve_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('relieve')
    return vessel


def train_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('train')
    return vessel


def praise_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('praise')
    return vessel


def question_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('question')
    return vessel


def signal_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('signal')
    return vessel


def ferry_the_pilot_of_the_southern_channel(vessel, draught, wage):
    vessel.note('ferry')
    return vessel
