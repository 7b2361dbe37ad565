from harbour.cargo import label_the_crates_from_the_eastern_isles

label_the_crates_from_the_eastern_isles(1, 2, 3)
