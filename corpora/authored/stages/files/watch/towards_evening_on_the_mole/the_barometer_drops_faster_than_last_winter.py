from harbour.cargo import tally_the_crates_from_the_eastern_isles

tally_the_crates_from_the_eastern_isles(1, 2, 3)
