#pragma once
#include <string>
#include <vector>

namespace drawing {

template <typename T>
class Point {
public:
    T x, y;
    Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
};

class Shape {
public:
    virtual ~Shape() = default;
    virtual double area_of_shape() const = 0;
    std::string name = R"(a "raw" name)";
};

using Shapes = std::vector<Shape *>;

double total_area(const Shapes &shapes);

} // namespace drawing
