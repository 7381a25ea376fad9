// How are rows of cells set under each other, so that a terminal shows columns?
#include "libplanner/report/text/text_table.hpp"

#include <algorithm>
#include <numeric>

#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

bool is_combining(char32_t character) {
    return (character >= 0x300 && character <= 0x36f) || character == 0x200b ||
           character == 0x200d || (character >= 0xfe00 && character <= 0xfe0f);
}

// Of the scripts and pictures that terminals draw two columns wide.
std::size_t width_of(char32_t character) {
    const auto is_between = [&](char32_t first, char32_t last) {
        return character >= first && character <= last;
    };
    if (is_combining(character)) {
        return 0;
    }
    return is_between(0x1100, 0x115f) || is_between(0x2e80, 0xa4cf) || is_between(0xac00, 0xd7a3) ||
                   is_between(0xf900, 0xfaff) || is_between(0xfe30, 0xfe6f) ||
                   is_between(0xff00, 0xff60) || is_between(0x1f300, 0x1faff) ||
                   is_between(0x20000, 0x3fffd)
               ? 2
               : 1;
}

std::size_t width_of(std::u32string_view text) {
    return std::accumulate(
        text.begin(), text.end(), std::size_t{0},
        [](std::size_t sum, char32_t character) { return sum + width_of(character); });
}

}  // namespace

std::string terminal_text(std::string_view text, std::size_t widest) {
    std::u32string characters = characters_of(text);
    if (width_of(characters) <= widest) {
        return utf8_of(characters);
    }
    std::size_t kept = 0;
    for (std::size_t width = 1; kept < characters.size(); ++kept) {
        width += width_of(characters[kept]);
        if (width > widest) {
            break;
        }
    }
    characters.resize(kept);
    return utf8_of(characters + U'…');
}

std::size_t terminal_width(std::string_view text) {
    return width_of(characters_of(text));
}

std::string text_table(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
    std::vector<std::vector<std::string>> lines;
    if (std::any_of(columns.begin(), columns.end(),
                    [](const Column& column) { return !column.title.empty(); })) {
        std::vector<std::string>& titles = lines.emplace_back();
        for (const Column& column : columns) {
            titles.push_back(column.title);
        }
    }
    for (const auto& row : rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::size_t widest = columns[i].widest == 0 ? any_width : columns[i].widest;
            line.push_back(terminal_text(row[i], widest));
        }
    }
    std::vector<std::size_t> widths(columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            widths[i] = std::max(widths[i], terminal_width(line[i]));
        }
    }
    std::string text;
    for (const auto& line : lines) {
        std::string shown(indent);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string space(widths[i] - terminal_width(line[i]), ' ');
            shown += i == 0 ? "" : "  ";
            shown += columns[i].is_number ? space + line[i] : line[i] + space;
        }
        shown.erase(shown.find_last_not_of(' ') + 1);
        text += shown + "\n";
    }
    return text;
}

}  // namespace hora::report
