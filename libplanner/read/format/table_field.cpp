// Which number stands in a field of a table?
#include "libplanner/read/format/table_field.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::read {
namespace {

// Three thousand years: beyond that a sum of times loses its seconds.
constexpr double longest = 1e11;
constexpr double most_bytes = 1e15;

// Not a number if the field is none between these.
double number_field(const TableText& table, std::size_t column, double least, double most) {
    std::string_view text = table.field(column);
    double value = 0;
    const bool is_good =
        take_number(text, value) && text.empty() && value >= least && value <= most;
    return is_good ? value : std::nan("");
}

}  // namespace

Expected<Seconds> seconds_field(const TableText& table, std::size_t column, Seconds least) {
    const double value = number_field(table, column, least.count(), longest);
    if (std::isnan(value)) {
        return table.bad(fmt::format("{} {} is no time; give seconds, at least {}",
                                     table.columns()[column], quoted(table.field(column)),
                                     least.count()));
    }
    return Seconds(value);
}

Expected<Bytes> bytes_field(const TableText& table, std::size_t column) {
    const double value = number_field(table, column, 0, most_bytes);
    if (std::isnan(value)) {
        return table.bad(fmt::format("{} {} is no size; give bytes, or 0 where it is not known",
                                     table.columns()[column], quoted(table.field(column))));
    }
    return Bytes(value);
}

Expected<std::uint32_t> count_field(const TableText& table, std::size_t column,
                                    std::uint32_t most) {
    const auto count = parse_whole_number(table.field(column), {.min = 1, .max = most});
    if (!count) {
        return table.bad(fmt::format("{} {}", table.columns()[column], count.error().message));
    }
    return static_cast<std::uint32_t>(*count);
}

}  // namespace hora::read
