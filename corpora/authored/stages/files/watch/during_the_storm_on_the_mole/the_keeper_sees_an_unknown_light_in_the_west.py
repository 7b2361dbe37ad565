from harbour.cargo import balance_the_crates_from_the_eastern_isles

balance_the_crates_from_the_eastern_isles(1, 2, 3)
