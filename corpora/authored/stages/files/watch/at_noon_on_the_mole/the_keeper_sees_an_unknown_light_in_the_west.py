from harbour.tides import correct_the_spring_tide_at_the_old_quay

correct_the_spring_tide_at_the_old_quay(1, 2, 3)
