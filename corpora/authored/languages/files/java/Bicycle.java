package bicycle;

import java.util.List;

public class Bicycle {
    private final List<Wheel> wheels;

    public Bicycle(List<Wheel> wheels) {
        this.wheels = wheels;
    }

    public void rideAway() {
        for (Wheel wheel : wheels) {
            wheel.turnWheel(360);
        }
    }
}
