// The rows of a table that travel, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hora::mpi {

// A table of `width` values a row, and the numbers of some of its rows, each once. `packed` has
// rows.size() · width values.
struct TableRows {
    std::size_t width = 0;
    std::span<const std::uint32_t> rows;
};

// Moves the rows to `packed` and leaves zeros: what is not moved is kept until its row's turn.
void take_rows(std::span<float> table, TableRows which, std::span<float> packed);
// table[row] += factor · packed[row]
void add_rows(std::span<float> table, TableRows which, std::span<const float> packed, float factor);

}  // namespace hora::mpi
