// What do the fields of an accounting row mean?
#include "libplanner/read/slurm/sacct_field.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "libplanner/read/format/table_field.hpp"
#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

constexpr WholeRange seconds_since_1970{0, 100'000'000'000};

// Cuts "NUMBER" and the character behind it off the text.
bool take(std::string_view& text, std::uint32_t& number, char behind) {
    if (!take_number(text, number) || text.empty() || text.front() != behind) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

bool is_leap(std::uint32_t year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// Days since 1970; empty for a date that there is not.
std::optional<double> days_of(std::uint32_t year, std::uint32_t month, std::uint32_t day) {
    constexpr std::array<std::uint32_t, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 ||
        day > lengths[month - 1] + (month == 2 && is_leap(year) ? 1 : 0)) {
        return std::nullopt;
    }
    std::uint32_t days = day - 1;
    for (std::uint32_t before = 1970; before < year; ++before) {
        days += is_leap(before) ? 366 : 365;
    }
    for (std::uint32_t before = 1; before < month; ++before) {
        days += lengths[before - 1] + (before == 2 && is_leap(year) ? 1 : 0);
    }
    return days;
}

}  // namespace

std::optional<Seconds> read_sacct_time(std::string_view text) {
    if (const auto seconds = parse_whole_number(text, seconds_since_1970)) {
        return Seconds(static_cast<double>(*seconds));
    }
    std::uint32_t year = 0;
    std::uint32_t month = 0;
    std::uint32_t day = 0;
    std::uint32_t hour = 0;
    std::uint32_t minute = 0;
    std::uint32_t second = 0;
    const bool is_whole = take(text, year, '-') && take(text, month, '-') && take(text, day, 'T') &&
                          take(text, hour, ':') && take(text, minute, ':') &&
                          take_number(text, second) && text.empty();
    const auto days = days_of(year, month, day);
    if (!is_whole || !days || hour > 23 || minute > 59 || second > 60) {
        return std::nullopt;
    }
    return Seconds(86400 * *days + 3600.0 * hour + 60.0 * minute + second);
}

std::optional<Seconds> read_elapsed(std::string_view text) {
    constexpr double longest = 1e10;
    std::uint32_t days = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        if (!take(text, days, '-')) {
            return std::nullopt;
        }
    }
    double total = 0;
    while (true) {
        double part = 0;
        if (text.empty() || text.front() < '0' || text.front() > '9' || !take_number(text, part) ||
            part > longest) {
            return std::nullopt;
        }
        total = 60 * total + part;
        if (text.empty()) {
            return Seconds(86400.0 * days + total);
        }
        if (text.front() != ':' || total > longest) {
            return std::nullopt;
        }
        text.remove_prefix(1);
    }
}

std::optional<Seconds> read_time_limit(std::string_view text) {
    constexpr Seconds none(std::numeric_limits<double>::infinity());
    if (text.empty() || text == "UNLIMITED" || text == "Partition_Limit" || text == "INVALID") {
        return none;
    }
    std::uint32_t days = 0;
    const bool has_days = text.find('-') != std::string_view::npos;
    if (has_days && !take(text, days, '-')) {
        return std::nullopt;
    }
    std::array<std::uint32_t, 3> parts{};
    std::size_t count = 0;
    do {
        if (count == parts.size() || !take_number(text, parts[count++])) {
            return std::nullopt;
        }
    } while (!text.empty() && text.front() == ':' && (text.remove_prefix(1), true));
    if (!text.empty()) {
        return std::nullopt;
    }
    // Behind days stand hours; else a first of three are hours, of fewer minutes.
    const bool has_hours = has_days || count == parts.size();
    const double first = has_hours ? 3600 : 60;
    const Seconds limit(86400.0 * days + first * parts[0] + first / 60 * parts[1] +
                        first / 3600 * parts[2]);
    return limit > Seconds(0) ? limit : none;
}

std::optional<TresCount> read_tres(std::string_view text) {
    constexpr WholeRange counts{0, most_gpus_of_a_job};
    std::uint64_t total = 0;
    std::uint64_t by_type = 0;
    TresCount count;
    while (!text.empty()) {
        std::string_view item = take_until(text, ',');
        const std::string_view name = take_until(item, '=');
        const bool is_gpu = name == "gres/gpu" || name.starts_with("gres/gpu:");
        if (!is_gpu && name != "node") {
            continue;
        }
        const auto value = parse_whole_number(item, counts);
        if (!value) {
            return std::nullopt;
        }
        if (name == "node") {
            count.nodes = static_cast<std::uint32_t>(*value);
        } else {
            (name == "gres/gpu" ? total : by_type) += *value;
        }
    }
    const std::uint64_t gpus = total > 0 ? total : by_type;
    count.gpus = static_cast<std::uint32_t>(std::min<std::uint64_t>(gpus, most_gpus_of_a_job));
    return count;
}

}  // namespace hora::read
