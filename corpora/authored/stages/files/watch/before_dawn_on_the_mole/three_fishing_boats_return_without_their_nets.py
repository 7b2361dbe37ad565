from harbour.cargo import insure_the_crates_from_the_eastern_isles

insure_the_crates_from_the_eastern_isles(1, 2, 3)
