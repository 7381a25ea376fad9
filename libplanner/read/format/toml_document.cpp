// Which tree of values does a text in TOML hold?
#define TOML_IMPLEMENTATION
#include "libplanner/read/format/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

// Where the parser gave up without a word: at the first '[' that no name follows.
std::string place_of_bad_header(std::string_view text) {
    std::size_t line = 1;
    while (!text.empty()) {
        const std::string_view row = take_until(text, '\n');
        const std::size_t open = row.find_first_not_of(" \t");
        const std::size_t name = row.find_first_not_of(" \t[", open);
        constexpr std::string_view starts =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\"'";
        if (open != row.npos && row[open] == '[' &&
            (name == row.npos || starts.find(row[name]) == starts.npos)) {
            return fmt::format("{}:{}", line, std::min(name, row.size()) + 1);
        }
        ++line;
    }
    return "1:1";
}

// The library ends its tables by recursion: a name of many parts would exhaust the stack. Ordinary
// lines have a few dots, in names and in numbers.
constexpr std::size_t most_dots = 64;

// Those that follow each other count as one: no name has them, and comments may. Whether a '#'
// begins a comment is not asked, for it may stand in a name, or in a text that began lines before.
std::size_t dots_of(std::string_view row) {
    std::size_t dots = 0;
    for (std::size_t at = row.find('.'); at != row.npos; at = row.find('.', at)) {
        ++dots;
        at = std::min(row.find_first_not_of('.', at), row.size());
    }
    return dots;
}

Expected<void> check_depth(std::string_view text, std::string_view file) {
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::string_view row = take_until(text, '\n');
        if (dots_of(row) > most_dots) {
            return wrong_use(
                fmt::format("{}:{}: more than {} dots in a line; give names of fewer "
                            "parts, or several lines",
                            file, line, most_dots));
        }
    }
    return {};
}

// As messages of Hora start.
std::string lower_case_start(std::string_view message) {
    std::string text(message);
    if (!text.empty()) {
        text[0] = lower_case(text[0]);
    }
    return text;
}

}  // namespace

void give_up_parsing() {
    throw ParserGaveUp();
}

Expected<TomlDocument> parse_toml(std::string_view text, std::string_view file) {
    const std::string shown = printable(file, file.size());
    if (const auto shallow = check_depth(text, shown); !shallow) {
        return unexpected(shallow.error());
    }
    try {
        return std::make_shared<const toml::table>(toml::parse(text));
    } catch (const toml::parse_error& error) {
        return wrong_use(fmt::format("{}:{}:{}: {}", shown, error.source().begin.line,
                                     error.source().begin.column,
                                     lower_case_start(error.description())));
    } catch (const ParserGaveUp&) {
        return wrong_use(fmt::format("{}:{}: expected the name of a table here", shown,
                                     place_of_bad_header(text)));
    }
}

}  // namespace hora::read
