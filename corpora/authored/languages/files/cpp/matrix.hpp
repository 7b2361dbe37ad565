#pragma once
#include <vector>

namespace algebra {

template <typename Number>
class Matrix {
public:
    explicit Matrix(std::size_t size) : cells_(size * size) {}
    Number trace_of() const;

private:
    std::vector<Number> cells_;
};

struct Shape { int rows, columns; };

}  // namespace algebra
