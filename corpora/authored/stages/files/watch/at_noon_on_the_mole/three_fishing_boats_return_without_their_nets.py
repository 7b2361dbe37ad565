from harbour.cargo import auction_the_crates_from_the_eastern_isles

auction_the_crates_from_the_eastern_isles(1, 2, 3)
