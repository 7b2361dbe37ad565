namespace House;

public static class Only
{
    public const int Answer = 42;
    public static int Nothing { get; }
}
