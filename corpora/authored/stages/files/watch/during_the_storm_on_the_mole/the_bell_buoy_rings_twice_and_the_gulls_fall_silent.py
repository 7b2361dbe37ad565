from harbour.tides import chart_the_spring_tide_at_the_old_quay

chart_the_spring_tide_at_the_old_quay(1, 2, 3)
