from harbour.tides import announce_the_spring_tide_at_the_old_quay

announce_the_spring_tide_at_the_old_quay(1, 2, 3)
