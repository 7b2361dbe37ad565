#include "matrix.hpp"

namespace algebra {

template <typename Number>
Number Matrix<Number>::trace_of() const {
    Number sum{};
    for (std::size_t at = 0; at < cells_.size(); at += 2) sum += cells_[at];
    return sum;
}

int area_of_matrix(const Shape &shape) { return shape.rows * shape.columns; }

}  // namespace algebra
