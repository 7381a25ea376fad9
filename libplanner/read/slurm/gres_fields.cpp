// What does one line of gres.conf say, key by key?
#include "libplanner/read/slurm/gres_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::uint32_t most_cores = 65536;
constexpr std::size_t most_unknown_keys = 8;  // of a line

// Of Slurm's that Hora does not use.
constexpr std::string_view unused_keys[] = {"flags", "uniqueid"};

// Where the value of a key goes; nowhere if Hora does not use it.
std::string* place_of(GresFields& fields, std::string_view key) {
    const std::pair<std::string_view, std::string GresFields::*> known[] = {
        {"nodename", &GresFields::nodes},      {"name", &GresFields::name},
        {"type", &GresFields::type},           {"file", &GresFields::file},
        {"multiplefiles", &GresFields::files}, {"cores", &GresFields::cores},
        {"cpus", &GresFields::cores},          {"links", &GresFields::links},
        {"count", &GresFields::count},         {"autodetect", &GresFields::detect}};
    for (const auto& [name, member] : known) {
        if (is_same_word(key, name)) {
            return &(fields.*member);
        }
    }
    return nullptr;
}

}  // namespace

std::string_view cut_at(std::string_view& text, std::string_view ends) {
    const std::size_t end = std::min(text.find_first_of(ends), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(gres_blanks), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(gres_blanks) + 1);
}

Expected<GresFields> read_gres_fields(std::string_view line) {
    GresFields fields;
    while (!(line = without_blanks(line)).empty()) {
        const std::size_t equal = line.find('=');
        const std::string_view key = without_blanks(line.substr(0, std::min(equal, line.size())));
        if (equal == line.npos || key.find_first_of(gres_blanks) != key.npos) {
            return wrong_use(fmt::format("{} is no KEY=VALUE", quoted(key)));
        }
        line = without_blanks(line.substr(equal + 1));
        const bool is_quoted = line.starts_with('"');
        line.remove_prefix(is_quoted ? 1 : 0);
        const std::string_view value = cut_at(line, is_quoted ? "\"" : gres_blanks);
        if (std::string* const known = place_of(fields, key)) {
            *known = value;
        } else if (std::none_of(std::begin(unused_keys), std::end(unused_keys),
                                [&](std::string_view word) { return is_same_word(key, word); }) &&
                   fields.unknown.size() < most_unknown_keys) {
            fields.unknown.emplace_back(key);
        }
    }
    return fields;
}

std::optional<std::vector<std::uint32_t>> read_gres_cores(std::string_view text) {
    std::vector<std::uint32_t> cores;
    while (!text.empty()) {
        std::string_view range = cut_at(text, ",");
        std::uint32_t first = 0;
        bool is_good = take_number(range, first);
        std::uint32_t last = first;
        if (is_good && range.starts_with('-')) {
            range.remove_prefix(1);
            is_good = take_number(range, last);
        }
        if (!is_good || !range.empty() || last < first || last >= most_cores) {
            return std::nullopt;
        }
        for (std::uint32_t core = first; core <= last; ++core) {
            cores.push_back(core);
        }
        if (cores.size() > most_cores) {
            return std::nullopt;
        }
    }
    std::sort(cores.begin(), cores.end());
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
    return cores;
}

std::optional<std::vector<std::int32_t>> read_gres_links(std::string_view text) {
    std::vector<std::int32_t> links;
    while (!text.empty()) {
        std::string_view word = cut_at(text, ",");
        std::int32_t link = 0;
        if (!take_number(word, link) || !word.empty() || links.size() >= most_gpus_of_a_line) {
            return std::nullopt;
        }
        links.push_back(link);
    }
    return links;
}

}  // namespace hora::read
