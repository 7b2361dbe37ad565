#include "shape.hpp"

namespace drawing {

class Circle : public Shape {
    double radius_ = 1'000.5e-2;

public:
    explicit Circle(double radius) : radius_(radius) {}
    double area_of_shape() const override { return 3.14159 * radius_ * radius_; }
};

double total_area(const Shapes &shapes) {
    double sum = 0;
    for (const auto *shape : shapes) {
        sum += shape->area_of_shape();
    }
    return sum;
}

} // namespace drawing

extern "C" int drawing_version(void) { return 3; }
