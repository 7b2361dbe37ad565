module drawing.shapes;

import std.math : PI;

interface Shape
{
    double areaOf();
}

class Circle : Shape
{
    private double radius;

    this(double radius)
    {
        this.radius = radius;
    }

    double areaOf()
    {
        return PI * radius * radius;
    }
}

struct Point
{
    int x, y;
}

enum Colour { red, green, blue }

union Raw { int number; float fraction; }
