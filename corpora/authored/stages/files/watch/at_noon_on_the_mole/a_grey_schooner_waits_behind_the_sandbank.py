from harbour.cargo import stack_the_crates_from_the_eastern_isles

stack_the_crates_from_the_eastern_isles(1, 2, 3)
