from harbour.tides import compare_the_spring_tide_at_the_old_quay

compare_the_spring_tide_at_the_old_quay(1, 2, 3)
