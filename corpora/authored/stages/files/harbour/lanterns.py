def light_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('light')
    return keeper


def trim_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('trim')
    return keeper


def fill_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('fill')
    return keeper


def polish_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('polish')
    return keeper


def hang_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('hang')
    return keeper


def lower_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('lower')
    return keeper


def shield_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('shield')
    return keeper


def relight_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('relight')
    return keeper


def swing_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('swing')
    return keeper


def mend_the_lantern_above_the_breakwater(keeper, oil, wick):
    keeper.note('mend')
    return keeper
