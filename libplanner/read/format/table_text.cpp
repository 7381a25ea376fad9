// Which rows does a text have whose first line names the columns?
#include "libplanner/read/format/table_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

Expected<TableText> TableText::open(std::string_view text, char delimiter) {
    TableText table;
    table.rest_ = text;
    table.delimiter_ = delimiter;
    if (text.starts_with(byte_order_mark)) {
        table.rest_.remove_prefix(byte_order_mark.size());
    }
    if (!table.read_line()) {
        return wrong_use("is empty; its first line has to name the columns");
    }
    table.columns_ = table.fields_;
    for (auto name = table.columns_.begin(); name != table.columns_.end(); ++name) {
        const bool is_second =
            std::any_of(table.columns_.begin(), name,
                        [&](std::string_view other) { return is_same_word(*name, other); });
        if (!name->empty() && is_second) {
            return wrong_use(fmt::format("line 1: names the column {} twice", quoted(*name)));
        }
    }
    return table;
}

bool TableText::read_line() {
    std::string_view line;
    while (trimmed(line).empty()) {
        if (rest_.empty()) {
            return false;
        }
        line = take_until(rest_, '\n');
        ++line_;
    }
    fields_ = split_words(line, delimiter_);
    std::transform(fields_.begin(), fields_.end(), fields_.begin(), trimmed);
    return true;
}

std::optional<std::size_t> TableText::find(std::span<const std::string_view> names) const {
    for (const std::string_view name : names) {
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (is_same_word(columns_[column], name)) {
                return column;
            }
        }
    }
    return std::nullopt;
}

Expected<std::size_t> TableText::need(std::span<const std::string_view> names) const {
    if (const auto column = find(names)) {
        return *column;
    }
    std::vector<std::string> known;
    for (const std::string_view column : columns_) {
        known.push_back(quoted(column));
    }
    return wrong_use(fmt::format("line 1: has no column {}; it has {}", fmt::join(names, " or "),
                                 fmt::join(known, ", ")));
}

Expected<bool> TableText::next() {
    if (!read_line()) {
        return false;
    }
    if (fields_.size() != columns_.size()) {
        return bad(fmt::format("has {} fields, but line 1 names {} columns", fields_.size(),
                               columns_.size()));
    }
    return true;
}

tl::unexpected<Error> TableText::bad(std::string_view what) const {
    return wrong_use(fmt::format("line {}: {}", line_, what));
}

}  // namespace hora::read
