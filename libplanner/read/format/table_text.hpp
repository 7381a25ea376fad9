// Which rows does a text have whose first line names the columns?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Looks at the text it was made of, which outlives it. Blank lines are passed over, and so are
// blanks around a field and a carriage return at the end of a line; there is no quoting.
class TableText {
  public:
    // Fails where there is no line at all, and where it names a column twice, in any case.
    static Expected<TableText> open(std::string_view text, char delimiter);

    const std::vector<std::string_view>& columns() const { return columns_; }
    // The place of the first of these names, in any case, among the columns.
    std::optional<std::size_t> find(std::span<const std::string_view> names) const;
    // The same where it has to be there; else the failure lists the columns there are.
    Expected<std::size_t> need(std::span<const std::string_view> names) const;

    // On to the next row; false at the end. Fails, naming the line, where it has another number of
    // fields than the first line.
    Expected<bool> next();
    // On to the end, calling for each row; ends with the first failure, of either.
    template <class Visit>
    Expected<void> for_each_row(Visit visit) {
        while (true) {
            const auto has_row = next();
            if (!has_row) {
                return unexpected(has_row.error());
            }
            if (!*has_row) {
                return {};
            }
            if (const auto visited = visit(); !visited) {
                return unexpected(visited.error());
            }
        }
    }
    // Of the row that next() came to, counted from 1.
    std::size_t line() const { return line_; }
    std::string_view field(std::size_t column) const { return fields_[column]; }
    // "line 7: WHAT"
    tl::unexpected<Error> bad(std::string_view what) const;

  private:
    bool read_line();

    std::string_view rest_;
    char delimiter_ = ',';
    std::size_t line_ = 0;
    std::vector<std::string_view> columns_;
    std::vector<std::string_view> fields_;
};

}  // namespace hora::read
