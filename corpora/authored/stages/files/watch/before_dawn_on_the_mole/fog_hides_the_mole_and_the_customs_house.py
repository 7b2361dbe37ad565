from harbour.cargo import claim_the_crates_from_the_eastern_isles

claim_the_crates_from_the_eastern_isles(1, 2, 3)
