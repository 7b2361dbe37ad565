module drawing.main;

import drawing.shapes;

double totalArea(Shape[] shapes)
{
    double sum = 0;
    foreach (shape; shapes)
        sum += shape.areaOf();
    return sum;
}

Circle makeCircle(Point centre)
{
    return new Circle(centre.x);
}

void main()
{
    Point origin;
    totalArea([makeCircle(origin)]);
}
