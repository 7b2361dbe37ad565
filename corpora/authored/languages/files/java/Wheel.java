package bicycle;

public abstract class Wheel {
    protected final int spokes;

    protected Wheel(int spokes) {
        this.spokes = spokes;
    }

    public abstract void turnWheel(int degrees);

    enum Side { FRONT, BACK }
}
