from harbour.cargo import measure_the_crates_from_the_eastern_isles

measure_the_crates_from_the_eastern_isles(1, 2, 3)
