// Which number stands in a field of a table?
#pragma once

#include <cstddef>
#include <cstdint>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/read/format/table_text.hpp"

namespace hora::read {

constexpr std::uint32_t most_gpus_of_a_job = 100'000;

// Each names line, column and what is wanted on failure.
Expected<Seconds> seconds_field(const TableText& table, std::size_t column, Seconds least);
Expected<Bytes> bytes_field(const TableText& table, std::size_t column);
Expected<std::uint32_t> count_field(const TableText& table, std::size_t column, std::uint32_t most);

}  // namespace hora::read
