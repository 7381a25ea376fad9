// How is the value of one setting written, and which values may it have?
#include "libplanner/read/settings/setting_text.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"

namespace hora::read {
namespace {

// The words of an enumeration, in the order of its values.
constexpr std::string_view mode_words[] = {"observe", "advise", "act"};
constexpr std::string_view objective_words[] = {"time", "efficiency"};
constexpr std::string_view without_plan_words[] = {"default", "refuse", "pass"};

std::span<const std::string_view> words_of(OperatingMode) {
    return mode_words;
}
std::span<const std::string_view> words_of(domain::Objective) {
    return objective_words;
}
// Not the hierarchy, which programs accept one by one.
std::span<const std::string_view> words_of(domain::Exchange) {
    return std::span(domain::exchange_names)
        .first(static_cast<std::size_t>(domain::Exchange::hierarchy));
}
std::span<const std::string_view> words_of(WithoutPlan) {
    return without_plan_words;
}
std::span<const std::string_view> words_of(domain::LimitKind) {
    return domain::limit_kind_names;
}

template <class T>
tl::unexpected<Error> must_be(T what, std::string_view text) {
    return wrong_use(fmt::format("must be {}, not {}", what, quoted(text)));
}

template <class E>
Expected<SettingValue> parse_word(E, std::string_view text) {
    const auto words = words_of(E{});
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == text) {
            return static_cast<E>(i);
        }
    }
    const std::string guess = did_you_mean(text, words);
    return wrong_use(
        fmt::format("must be one of {}, not {}{}", fmt::join(words, ", "), quoted(text), guess));
}

template <class N>
std::optional<N> parse_number(std::string_view text) {
    N number{};
    const char* const end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

Expected<SettingValue> parse_as(bool, std::string_view text) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    return must_be("true or false", text);
}
Expected<SettingValue> parse_as(std::uint64_t, std::string_view text) {
    const auto number = parse_number<std::uint64_t>(text);
    if (!number) {
        return must_be("a whole number", text);
    }
    return *number;
}
Expected<SettingValue> parse_as(double, std::string_view text) {
    const auto number = parse_number<double>(text);
    if (!number || !std::isfinite(*number)) {
        return must_be("a number", text);
    }
    return *number;
}
template <class Tag>
Expected<SettingValue> parse_as(Quantity<Tag>, std::string_view text) {
    const auto value = parse_quantity<Quantity<Tag>>(text);
    if (!value) {
        return wrong_use("is wrong: " + value.error().message);
    }
    return *value;
}
Expected<SettingValue> parse_as(const std::string&, std::string_view text) {
    return std::string(text);
}
Expected<SettingValue> parse_as(OperatingMode mode, std::string_view text) {
    return parse_word(mode, text);
}
Expected<SettingValue> parse_as(domain::Objective objective, std::string_view text) {
    return parse_word(objective, text);
}
Expected<SettingValue> parse_as(domain::Exchange exchange, std::string_view text) {
    return parse_word(exchange, text);
}
Expected<SettingValue> parse_as(WithoutPlan rule, std::string_view text) {
    return parse_word(rule, text);
}
Expected<SettingValue> parse_as(domain::LimitKind kind, std::string_view text) {
    return parse_word(kind, text);
}

std::string text_of(bool value) {
    return value ? "true" : "false";
}
std::string text_of(std::uint64_t value) {
    return fmt::format("{}", value);
}
std::string text_of(double value) {
    return fmt::format("{}", value);
}
template <class Tag>
std::string text_of(Quantity<Tag> value) {
    return format_quantity(value);
}
std::string text_of(const std::string& value) {
    return value;
}
template <class E>
requires std::is_enum_v<E> std::string text_of(E value) {
    return std::string(words_of(value)[static_cast<std::size_t>(value)]);
}

// "1 h", "3660 d": with a unit, as the value itself is written.
std::string bound_text(double bound, const SettingValue& like) {
    return std::visit(
        [bound](const auto& held) {
            using T = std::decay_t<decltype(held)>;
            if constexpr (requires { held.count(); }) {
                return format_quantity(T(bound));
            } else {
                return fmt::format("{}", bound);
            }
        },
        like);
}

// Numbers and quantities have a range; nothing else has.
std::optional<double> magnitude(const SettingValue& value) {
    return std::visit(
        [](const auto& held) -> std::optional<double> {
            if constexpr (requires { held.count(); }) {
                return held.count();
            } else if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string> ||
                                 std::is_enum_v<std::decay_t<decltype(held)>>) {
                return std::nullopt;
            } else {
                return static_cast<double>(held);
            }
        },
        value);
}

// Of files that a daemon writes, which may be started anywhere.
bool has_absolute_path(const Setting& setting) {
    constexpr std::string_view names[] = {"snapshot.path", "horad.state", "horad.metrics",
                                          "history.path"};
    return std::find(std::begin(names), std::end(names), setting.name) != std::end(names);
}

Expected<void> check_path(const Setting& setting, const std::string& path) {
    const bool may_be_empty = std::get<std::string_view>(setting.initial).empty();
    const bool is_good = path.empty() ? may_be_empty : path.front() == '/';
    return is_good
               ? Expected<void>()
               : wrong_use(fmt::format("\"{}\" must be an absolute path{}, not {}", setting.name,
                                       may_be_empty ? " or empty" : "", quoted(path)));
}

Expected<void> check_address(const Setting& setting, const std::string& address) {
    in6_addr place{};
    const bool is_good = address.empty() || inet_pton(AF_INET, address.c_str(), &place) == 1 ||
                         inet_pton(AF_INET6, address.c_str(), &place) == 1;
    return is_good
               ? Expected<void>()
               : wrong_use(fmt::format("\"{}\" must be an IPv4 or IPv6 address or empty, not {}",
                                       setting.name, quoted(address)));
}

// Of files of a node. A name in braces that is not known would stay in the path, where there is no
// file, and none is what many nodes have.
Expected<void> check_place(const Setting& setting, std::string_view path) {
    constexpr std::string_view known = "{node}";
    for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{', at + 1)) {
        if (!path.substr(at).starts_with(known)) {
            return wrong_use(fmt::format(
                "\"{}\" has {}, which is not known; {} is the node's name", setting.name,
                quoted(path.substr(at, path.find('}', at) - at + 1)), known));
        }
    }
    return {};
}

}  // namespace

std::string_view name_of(Origin origin) {
    constexpr std::string_view names[] = {"default", "file", "environment", "command line"};
    return names[static_cast<std::size_t>(origin)];
}

std::string_view name_of(OperatingMode mode) {
    return mode_words[static_cast<std::size_t>(mode)];
}

std::string to_text(const SettingValue& value) {
    return std::visit([](const auto& held) { return text_of(held); }, value);
}

Expected<SettingValue> parse_setting(const SettingValue& like, std::string_view text) {
    return std::visit([&](const auto& held) { return parse_as(held, text); }, like);
}

Expected<void> check_setting(const Setting& setting, const SettingValue& value) {
    if (const auto number = magnitude(value);
        number && (*number < setting.least || *number > setting.most)) {
        const std::string least = bound_text(setting.least, value);
        const std::string range =
            std::isinf(setting.most)
                ? "be at least " + least
                : fmt::format("lie in {} to {}", least, bound_text(setting.most, value));
        return wrong_use(
            fmt::format("\"{}\" must {}, not be {}", setting.name, range, to_text(value)));
    }
    if (has_absolute_path(setting)) {
        return check_path(setting, std::get<std::string>(value));
    }
    if (setting.name == "horad.listen") {
        return check_address(setting, std::get<std::string>(value));
    }
    if (setting.name == "topology.path" || setting.name == "nccl.topo_file") {
        return check_place(setting, std::get<std::string>(value));
    }
    if (setting.name == "checkpoint.path") {
        const CheckpointOwner anybody{"user", 1, "cluster", 1, 1, "/work"};
        auto path = checkpoint_path(std::get<std::string>(value), anybody);
        if (!path) {
            return wrong_use(path.error().message);
        }
    }
    return {};
}

std::string_view type_of(const SettingValue& value) {
    constexpr std::string_view names[] = {"true or false", "whole number", "number", "time",
                                          "size",          "bandwidth",    "text",   "word",
                                          "word",          "word",         "word",   "word"};
    static_assert(std::size(names) == std::variant_size_v<SettingValue>);
    return names[value.index()];
}

std::string_view unit_of(const SettingValue& value) {
    constexpr std::string_view units[] = {"", "", "", "s", "B", "B/s", "", "", "", "", "", ""};
    static_assert(std::size(units) == std::variant_size_v<SettingValue>);
    return units[value.index()];
}

}  // namespace hora::read
