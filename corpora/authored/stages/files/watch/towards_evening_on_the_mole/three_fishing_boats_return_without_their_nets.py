from harbour.cargo import return_the_crates_from_the_eastern_isles

return_the_crates_from_the_eastern_isles(1, 2, 3)
