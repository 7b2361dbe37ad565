def predict_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('predict')
    return gauge


def measure_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('measure')
    return gauge


def record_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('record')
    return gauge


def compare_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('compare')
    return gauge


def announce_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('announce')
    return gauge


def await_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('await')
    return gauge


def average_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('average')
    return gauge


def correct_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('correct')
    return gauge


def chart_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('chart')
    return gauge


def miss_the_spring_tide_at_the_old_quay(gauge, hour, moon_phase):
    gauge.note('miss')
    return gauge
