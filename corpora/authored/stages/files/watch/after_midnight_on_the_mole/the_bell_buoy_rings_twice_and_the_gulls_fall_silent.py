from harbour.tides import measure_the_spring_tide_at_the_old_quay

measure_the_spring_tide_at_the_old_quay(1, 2, 3)
