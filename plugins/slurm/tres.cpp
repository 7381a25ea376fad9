// What do strings such as "gres:gpu:titanx:4" or "gpu:a100:2(IDX:0,2)" ask for, or hold?
#include "plugins/slurm/tres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "plugins/slurm/version.hpp"

namespace hora::slurm {
namespace {

constexpr std::size_t max_text = 65536;
constexpr std::size_t max_items = 1024;
constexpr std::size_t max_indices = 4096;
constexpr std::uint32_t max_index = 65535;
constexpr std::uint64_t max_count = std::uint64_t{1} << 53;

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

std::uint64_t multiplier(char suffix) {
    constexpr std::string_view suffixes = "kmgtp";
    const char lower = suffix >= 'A' && suffix <= 'Z' ? static_cast<char>(suffix + 32) : suffix;
    const std::size_t power = suffixes.find(lower);
    return power == std::string_view::npos ? 0 : std::uint64_t{1} << (10 * (power + 1));
}

// "4", "16G"; a word such as "titanx" is no count.
std::optional<std::uint64_t> parse_count(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    std::uint64_t factor = 1;
    if (const std::uint64_t found = multiplier(text.back()); found != 0) {
        factor = found;
        text.remove_suffix(1);
    }
    const auto number = parse_number<std::uint64_t>(text);
    if (!number || *number > max_count / factor) {
        return std::nullopt;
    }
    return *number * factor;
}

bool is_word(std::string_view text) {
    const auto is_letter_or_digit = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !text.empty() && is_letter_or_digit(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.' || c == '/';
           });
}

// "99999999999999999999" or "9007199254740992P": meant as a count, but none that fits.
bool is_count_gone_wrong(std::string_view text) {
    if (!text.empty() && multiplier(text.back()) != 0) {
        text.remove_suffix(1);
    }
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Takes what stands before the next separator that is outside parentheses.
std::string_view take(std::string_view& rest, std::string_view separators) {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        depth += rest[i] == '(' ? 1 : rest[i] == ')' ? -1 : 0;
        if (depth == 0 && separators.find(rest[i]) != std::string_view::npos) {
            const std::string_view taken = rest.substr(0, i);
            rest.remove_prefix(i + 1);
            return taken;
        }
    }
    const std::string_view taken = rest;
    rest = {};
    return taken;
}

// "0,2-3" of "(IDX:0,2-3)"; "N/A" is none.
bool parse_indices(std::string_view text, std::vector<std::uint32_t>& indices) {
    if (text == "N/A" || text.empty()) {
        return true;
    }
    while (!text.empty()) {
        std::string_view range = take(text, ",");
        const auto first = parse_number<std::uint32_t>(take(range, "-"));
        const auto last = range.empty() ? first : parse_number<std::uint32_t>(range);
        if (!first || !last || *last < *first || *last > max_index ||
            indices.size() + (*last - *first) >= max_indices) {
            return false;
        }
        for (std::uint32_t index = *first; index <= *last; ++index) {
            indices.push_back(index);
        }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return true;
}

// What stands in parentheses after the count.
bool parse_remark(std::string_view& item, Tres& tres) {
    const std::size_t open = item.find('(');
    if (open == std::string_view::npos) {
        return item.find(')') == std::string_view::npos;
    }
    if (item.back() != ')') {
        return false;
    }
    const std::string_view remark = item.substr(open + 1, item.size() - open - 2);
    item = item.substr(0, open);
    if (remark.find_first_of("()") != std::string_view::npos) {
        return false;
    }
    constexpr std::string_view indices = "IDX:";
    constexpr std::string_view sockets = "S:";
    if (remark.starts_with(indices)) {
        return parse_indices(remark.substr(indices.size()), tres.indices);
    }
    if (remark.starts_with(sockets) &&
        !parse_indices(remark.substr(sockets.size()), tres.sockets)) {
        tres.sockets.clear();
    }
    return true;
}

bool parse_words(std::string_view item, Tres& tres) {
    for (const std::string_view prefix : {"gres:", "gres/"}) {
        if (item.starts_with(prefix)) {
            tres.is_gres = true;
            item.remove_prefix(prefix.size());
            break;
        }
    }
    tres.name = take(item, ":=");
    if (!is_word(tres.name)) {
        return false;
    }
    bool has_count = false;
    while (!item.empty()) {
        const std::string_view word = take(item, ":=");
        const auto count = item.empty() ? parse_count(word) : std::nullopt;
        if (count) {
            tres.count = *count;
            has_count = true;
        } else if (word != "no_consume") {
            if (!tres.type.empty() || !is_word(word)) {
                return false;
            }
            tres.type = word;
        }
    }
    return has_count || !is_count_gone_wrong(tres.type);
}

}  // namespace

Expected<std::vector<Tres>> parse_tres(std::string_view text) {
    if (text.size() > max_text) {
        return failure(
            fmt::format("TRES list of {} characters, at most {}", text.size(), max_text));
    }
    std::vector<Tres> list;
    if (text == "(null)") {
        return list;
    }
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view written = take(rest, ",");
        std::string_view item = written;
        Tres tres;
        const bool is_tres = !item.empty() && item.back() != ':' && item.back() != '=' &&
                             parse_remark(item, tres) && parse_words(item, tres);
        if (!is_tres || list.size() == max_items) {
            return failure(
                fmt::format("cannot read \"{}\" of the TRES list; write it as \"gpu\", "
                            "\"gpu:2\" or \"gpu:a100:2\"",
                            written.substr(0, 64)));
        }
        list.push_back(std::move(tres));
    }
    if (text.ends_with(',')) {
        return failure("TRES list ends with a comma");
    }
    return list;
}

GpuCount count_gpus(const std::vector<Tres>& list) {
    GpuCount gpus;
    std::uint64_t untyped = 0;
    std::uint64_t typed = 0;
    for (const Tres& item : list) {
        if (item.name != "gpu") {
            continue;
        }
        gpus.is_said = true;
        if (item.type.empty()) {
            untyped += item.count;
        } else {
            typed += item.count;
            gpus.typed.push_back(item);
        }
    }
    gpus.all = std::max(untyped, typed);
    return gpus;
}

bool asks_only_for_cpus(std::string_view text) {
    const auto list = parse_tres(text);
    return list && std::all_of(list->begin(), list->end(), [](const Tres& item) {
               return item.name == "cpu" && item.type.empty();
           });
}

std::string format_gpus(std::uint32_t version, std::string_view type, std::uint64_t count) {
    return fmt::format("{}gpu{}{}:{}", gres_prefix(version), type.empty() ? "" : ":", type, count);
}

std::function<std::string(std::string_view type, std::uint64_t count)> gpu_spelling(
    std::uint32_t version) {
    return [version](std::string_view type, std::uint64_t count) {
        return format_gpus(version, type, count);
    };
}

}  // namespace hora::slurm
