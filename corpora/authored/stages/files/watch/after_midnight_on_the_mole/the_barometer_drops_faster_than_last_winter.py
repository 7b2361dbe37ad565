from harbour.cargo import ship_the_crates_from_the_eastern_isles

ship_the_crates_from_the_eastern_isles(1, 2, 3)
