from harbour.cargo import weigh_the_crates_from_the_eastern_isles

weigh_the_crates_from_the_eastern_isles(1, 2, 3)
