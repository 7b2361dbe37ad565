from harbour.cargo import divide_the_crates_from_the_eastern_isles

divide_the_crates_from_the_eastern_isles(1, 2, 3)
