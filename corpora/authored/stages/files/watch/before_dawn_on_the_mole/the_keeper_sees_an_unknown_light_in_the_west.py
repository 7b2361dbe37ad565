from harbour.tides import predict_the_spring_tide_at_the_old_quay

predict_the_spring_tide_at_the_old_quay(1, 2, 3)
