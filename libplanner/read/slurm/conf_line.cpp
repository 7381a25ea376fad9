// What does a line of Slurm's configuration files set?
#include "libplanner/read/slurm/conf_line.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Without what follows a '#' that no backslash precedes.
std::string_view without_comment(std::string_view line) {
    for (std::size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
        if (at == 0 || line[at - 1] != '\\') {
            return line.substr(0, at);
        }
    }
    return line;
}

std::string_view take_value(std::string_view& rest) {
    const bool is_quoted = rest.starts_with('"');
    rest.remove_prefix(is_quoted ? 1 : 0);
    const std::size_t end =
        std::min(is_quoted ? rest.find('"') : rest.find_first_of(blanks), rest.size());
    const std::string_view value = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return value;
}

ConfFields fields_of(std::string_view line) {
    ConfFields fields;
    for (std::size_t equals = line.find('='); equals != line.npos; equals = line.find('=')) {
        std::string_view key = trimmed(line.substr(0, equals));
        key.remove_prefix(key.find_last_of(blanks) + 1);  // npos + 1 is 0
        line = trimmed(line.substr(equals + 1));
        fields.emplace(lower_case(key), take_value(line));
    }
    return fields;
}

}  // namespace

std::optional<ConfLine> ConfLines::next() {
    if (text_.empty()) {
        return std::nullopt;
    }
    ConfLine line{number_ + 1, {}};
    std::string whole;
    for (bool goes_on = true; goes_on && !text_.empty(); ++number_) {
        // Blanks in front stay: they part what the line goes on with.
        std::string_view piece = without_comment(take_until(text_, '\n'));
        piece = piece.substr(0, piece.find_last_not_of(blanks) + 1);
        goes_on = piece.ends_with('\\');
        whole += piece.substr(0, piece.size() - (goes_on ? 1 : 0));
    }
    line.fields = fields_of(whole);
    return line;
}

}  // namespace hora::read
