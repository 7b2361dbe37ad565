from harbour.tides import average_the_spring_tide_at_the_old_quay

average_the_spring_tide_at_the_old_quay(1, 2, 3)
