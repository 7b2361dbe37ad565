def unload_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('unload')
    return hold


def weigh_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('weigh')
    return hold


def stack_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('stack')
    return hold


def seal_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('seal')
    return hold


def tally_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('tally')
    return hold


def insure_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('insure')
    return hold


def load_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('load')
    return hold


def lash_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('lash')
    return hold


def balance_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('balance')
    return hold


def label_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('label')
    return hold


def cover_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('cover')
    return hold


def ship_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('ship')
    return hold


def auction_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('auction')
    return hold


def salvage_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('salvage')
    return hold


def store_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('store')
    return hold


def claim_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('claim')
    return hold


def measure_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('measure')
    return hold


def reject_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('reject')
    return hold


def divide_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('divide')
    return hold


def return_the_crates_from_the_eastern_isles(ledger, hold, duty):
    ledger.note('return')
    return hold
