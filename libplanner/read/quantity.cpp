// What does "100 Mbit/s" come to, and how is a quantity written back?
#include "libplanner/read/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/nearest.hpp"

namespace hora::read {
namespace {

// A unit is multiply / divide base units: two exact numbers round once where 1e-6 rounds twice.
struct Unit {
    std::string_view name;
    double multiply;
    double divide;
};

// Each list: the units to write with first, largest first; then those that are only read.
constexpr Unit time_units[] = {
    {"d", 86400, 1}, {"h", 3600, 1}, {"min", 60, 1}, {"s", 1, 1},
    {"ms", 1, 1e3},  {"us", 1, 1e6}, {"ns", 1, 1e9},
};
constexpr Unit size_units[] = {
    {"PiB", 0x1p50, 1}, {"TiB", 0x1p40, 1}, {"GiB", 0x1p30, 1}, {"MiB", 0x1p20, 1},
    {"KiB", 0x1p10, 1}, {"B", 1, 1},        {"PB", 1e15, 1},    {"TB", 1e12, 1},
    {"GB", 1e9, 1},     {"MB", 1e6, 1},     {"kB", 1e3, 1},
};
constexpr Unit bandwidth_units[] = {
    {"PB/s", 1e15, 1},    {"TB/s", 1e12, 1},    {"GB/s", 1e9, 1},     {"MB/s", 1e6, 1},
    {"kB/s", 1e3, 1},     {"B/s", 1, 1},        {"TiB/s", 0x1p40, 1}, {"GiB/s", 0x1p30, 1},
    {"MiB/s", 0x1p20, 1}, {"KiB/s", 0x1p10, 1}, {"Tbit/s", 1e12, 8},  {"Gbit/s", 1e9, 8},
    {"Mbit/s", 1e6, 8},   {"kbit/s", 1e3, 8},   {"bit/s", 1, 8},
};
constexpr Unit rate_units[] = {
    {"EFLOP/s", 1e18, 1}, {"PFLOP/s", 1e15, 1}, {"TFLOP/s", 1e12, 1}, {"GFLOP/s", 1e9, 1},
    {"MFLOP/s", 1e6, 1},  {"kFLOP/s", 1e3, 1},  {"FLOP/s", 1, 1},
};

// What a kind of quantity is called and how it is written.
struct Kind {
    std::string_view noun;
    std::string_view example;
    std::span<const Unit> units;
    bool may_be_zero;
};

template <class Q>
constexpr Kind kind{};
template <>
constexpr Kind kind<Seconds>{"time", "30 s", time_units, true};
template <>
constexpr Kind kind<Bytes>{"size", "12 GiB", size_units, true};
template <>
constexpr Kind kind<Bandwidth>{"bandwidth", "100 Mbit/s", bandwidth_units, false};
template <>
constexpr Kind kind<FlopRate>{"rate", "6.1 TFLOP/s", rate_units, false};

tl::unexpected<Error> refused(std::string_view problem, std::string_view text, const Kind& kind) {
    return wrong_use(
        fmt::format("\"{}\" {}; write a {} like \"{}\"", text, problem, kind.noun, kind.example));
}

tl::unexpected<Error> unknown_unit(std::string_view unit, std::string_view text, const Kind& kind) {
    std::vector<std::string_view> names;
    for (const Unit& known : kind.units) {
        names.push_back(known.name);
    }
    // A unit in the wrong case is nearer than any other: "mbit/s" means no terabits.
    const auto same = std::find_if(names.begin(), names.end(),
                                   [&](std::string_view name) { return is_same_word(name, unit); });
    const std::string guess = did_you_mean(same == names.end() ? unit : *same, names);
    if (guess.empty()) {
        return refused("has no unit that is known here", text, kind);
    }
    return wrong_use(fmt::format("unknown unit \"{}\" in \"{}\"{}", unit, text, guess));
}

// Long enough for every number and unit; what is longer is not quoted back.
constexpr std::size_t longest_text = 64;

Expected<double> parse(std::string_view text, const Kind& kind) {
    if (text.size() > longest_text) {
        return refused("is too long", text.substr(0, longest_text), kind);
    }
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || !std::isfinite(number)) {
        return refused("does not start with a number", text, kind);
    }
    std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    if (unit.empty()) {
        return refused("has no unit", text, kind);
    }
    for (const Unit& known : kind.units) {
        if (known.name != unit) {
            continue;
        }
        const double value = number * known.multiply / known.divide;
        if (std::signbit(number) || (value <= 0 && !kind.may_be_zero)) {
            return refused(kind.may_be_zero ? "is below zero" : "must be above zero", text, kind);
        }
        if (!std::isfinite(value)) {
            return refused("is too large", text, kind);
        }
        return value;
    }
    return unknown_unit(unit, text, kind);
}

std::string format(double value, const Kind& kind) {
    std::string fallback = fmt::format("{} {}", value, kind.units.front().name);
    for (const Unit& unit : kind.units) {
        const bool is_base = unit.multiply == unit.divide;
        const std::string text =
            fmt::format("{} {}", value * unit.divide / unit.multiply, unit.name);
        const auto back = parse(text, kind);
        if (!back || *back != value) {
            continue;
        }
        // "30 s" reads better than "0.5 min".
        if (value * unit.divide >= unit.multiply || (value == 0 && is_base)) {
            return text;
        }
        fallback = text;
    }
    return fallback;
}

std::string format_to_four_digits(double value, const Kind& kind) {
    const auto in = [&](const Unit& unit) { return value * unit.divide / unit.multiply; };
    const Unit* chosen = &kind.units.front();
    for (const Unit& unit : kind.units) {
        // What is less than one of any is written in the smallest unit, and zero in the base.
        const bool is_less = value != 0 && in(*chosen) < 1 && in(unit) > in(*chosen);
        const bool is_base = unit.multiply == unit.divide;
        chosen = is_less || (value == 0 && is_base) ? &unit : chosen;
    }
    // Read back, a number is written without the exponent that 'g' may give it.
    return fmt::format("{} {}", std::stod(fmt::format("{:.4g}", in(*chosen))), chosen->name);
}

}  // namespace

template <>
Expected<Seconds> parse_quantity<Seconds>(std::string_view text) {
    return parse(text, kind<Seconds>).map([](double value) { return Seconds(value); });
}
template <>
Expected<Bytes> parse_quantity<Bytes>(std::string_view text) {
    return parse(text, kind<Bytes>).map([](double value) { return Bytes(value); });
}
template <>
Expected<Bandwidth> parse_quantity<Bandwidth>(std::string_view text) {
    return parse(text, kind<Bandwidth>).map([](double value) { return Bandwidth(value); });
}
template <>
Expected<FlopRate> parse_quantity<FlopRate>(std::string_view text) {
    return parse(text, kind<FlopRate>).map([](double value) { return FlopRate(value); });
}

std::string format_quantity(Seconds value) {
    return format(value.count(), kind<Seconds>);
}
std::string format_quantity(Bytes value) {
    return format(value.count(), kind<Bytes>);
}
std::string format_quantity(Bandwidth value) {
    return format(value.count(), kind<Bandwidth>);
}
std::string format_quantity(FlopRate value) {
    return format(value.count(), kind<FlopRate>);
}

std::string format_rounded(Seconds value) {
    return format_to_four_digits(value.count(), kind<Seconds>);
}
std::string format_rounded(Bandwidth value) {
    return format_to_four_digits(value.count(), kind<Bandwidth>);
}
std::string format_rounded(FlopRate value) {
    return format_to_four_digits(value.count(), kind<FlopRate>);
}

template <>
std::string_view quantity_example<Seconds>() {
    return kind<Seconds>.example;
}
template <>
std::string_view quantity_example<Bytes>() {
    return kind<Bytes>.example;
}
template <>
std::string_view quantity_example<Bandwidth>() {
    return kind<Bandwidth>.example;
}
template <>
std::string_view quantity_example<FlopRate>() {
    return kind<FlopRate>.example;
}

}  // namespace hora::read
