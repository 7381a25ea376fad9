// How are rows of cells set under each other, so that a terminal shows columns?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hora::report {

struct Column {
    std::string title;
    bool is_number = false;  // stands right
    std::size_t widest = 0;  // more is cut with "…"; 0: never
};

// Lines with two spaces between columns, the titles first if there is one, none ending in a space.
// Cells are untrusted text: printable afterwards. Each row has as many cells as there are columns.
std::string text_table(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows,
                       std::string_view indent = "");

constexpr std::size_t any_width = static_cast<std::size_t>(-1);

// Untrusted text for a terminal: printable, on one line, at most so many columns wide.
std::string terminal_text(std::string_view text, std::size_t widest = any_width);

// Columns of a terminal that it takes.
std::size_t terminal_width(std::string_view text);

}  // namespace hora::report
