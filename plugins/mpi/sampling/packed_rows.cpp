// The rows of a table that travel, one after the other.
#include "plugins/mpi/sampling/packed_rows.hpp"

#include <algorithm>

namespace hora::mpi {

void take_rows(std::span<float> table, TableRows which, std::span<float> packed) {
    for (const std::uint32_t row : which.rows) {
        const auto values = table.subspan(row * which.width, which.width);
        std::ranges::copy(values, packed.begin());
        std::ranges::fill(values, 0.0F);
        packed = packed.subspan(which.width);
    }
}

void add_rows(std::span<float> table, TableRows which, std::span<const float> packed,
              float factor) {
    for (const std::uint32_t row : which.rows) {
        float* const values = table.data() + row * which.width;
        for (std::size_t i = 0; i < which.width; ++i) {
            values[i] += factor * packed[i];
        }
        packed = packed.subspan(which.width);
    }
}

}  // namespace hora::mpi
