// Which value, of the type that is asked for, stands at a key of a TOML file?
#include "libplanner/read/format/toml_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

std::string_view kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time";
    }
}

TomlValue<std::uint64_t> whole_up_to(std::uint64_t most, std::string_view key,
                                     const toml::node& node) {
    const auto* const integer = node.as_integer();
    if (integer == nullptr) {
        return tl::unexpected(wrong_type(key, node, "a whole number"));
    }
    if (integer->get() < 0 || static_cast<std::uint64_t>(integer->get()) > most) {
        return tl::unexpected(
            TomlFault{node.source().begin, fmt::format("\"{}\" must lie in 0 to {}, not be {}",
                                                       shown_key(key), most, integer->get())});
    }
    return static_cast<std::uint64_t>(integer->get());
}

template <class T>
TomlValue<std::vector<T>> list_of(std::string_view key, const toml::node& node,
                                  TomlValue<T> (*value_of)(std::string_view, const toml::node&)) {
    std::vector<T> values;
    const auto add = [&](const toml::node& element) -> TomlValue<void> {
        auto value = value_of(key, element);
        if (!value) {
            return tl::unexpected(std::move(value.error()));
        }
        values.push_back(*std::move(value));
        return {};
    };
    const toml::array* const list = node.as_array();
    if (list == nullptr) {
        const auto added = add(node);
        return added ? TomlValue<std::vector<T>>(std::move(values)) : tl::unexpected(added.error());
    }
    for (const toml::node& element : *list) {
        if (const auto added = add(element); !added) {
            return tl::unexpected(added.error());
        }
    }
    return values;
}

}  // namespace

std::string shown_key(std::string_view key) {
    constexpr std::size_t longest = 64;
    return printable(key, longest);
}

TomlFault wrong_type(std::string_view key, const toml::node& node, std::string_view wanted) {
    return {node.source().begin,
            fmt::format("\"{}\" must be {}, not {}", shown_key(key), wanted, kind_of(node))};
}

TomlValue<std::string> text_of(std::string_view key, const toml::node& node) {
    if (!node.is_string()) {
        return tl::unexpected(wrong_type(key, node, "a string"));
    }
    return node.as_string()->get();
}

TomlValue<bool> flag_of(std::string_view key, const toml::node& node) {
    if (!node.is_boolean()) {
        return tl::unexpected(wrong_type(key, node, "true or false"));
    }
    return node.as_boolean()->get();
}

TomlValue<std::uint32_t> small_whole_of(std::string_view key, const toml::node& node) {
    return whole_up_to(std::numeric_limits<std::uint32_t>::max(), key, node)
        .map([](std::uint64_t whole) { return static_cast<std::uint32_t>(whole); });
}

TomlValue<std::uint64_t> whole_of(std::string_view key, const toml::node& node) {
    return whole_up_to(std::numeric_limits<std::int64_t>::max(), key, node);
}

TomlValue<double> number_of(std::string_view key, const toml::node& node) {
    const std::optional<double> found = node.value<double>();
    if (!node.is_number() || !found) {
        return tl::unexpected(wrong_type(key, node, "a number"));
    }
    if (!std::isfinite(*found)) {
        return tl::unexpected(TomlFault{
            node.source().begin, fmt::format("\"{}\" must be a finite number", shown_key(key))});
    }
    return *found;
}

template <class Q>
TomlValue<Q> quantity_of(std::string_view key, const toml::node& node) {
    const auto fault = [&](std::string message) {
        return tl::unexpected(TomlFault{node.source().begin, std::move(message)});
    };
    if (node.is_number()) {
        return fault(fmt::format("\"{}\" needs a unit; write it like \"{}\"", shown_key(key),
                                 quantity_example<Q>()));
    }
    if (!node.is_string()) {
        return tl::unexpected(
            wrong_type(key, node, fmt::format("a string like \"{}\"", quantity_example<Q>())));
    }
    const auto parsed = parse_quantity<Q>(node.as_string()->get());
    if (!parsed) {
        return fault(fmt::format("\"{}\": {}", shown_key(key), parsed.error().message));
    }
    return *parsed;
}

template TomlValue<Seconds> quantity_of<Seconds>(std::string_view, const toml::node&);
template TomlValue<Bytes> quantity_of<Bytes>(std::string_view, const toml::node&);
template TomlValue<Bandwidth> quantity_of<Bandwidth>(std::string_view, const toml::node&);
template TomlValue<FlopRate> quantity_of<FlopRate>(std::string_view, const toml::node&);

TomlValue<std::vector<std::uint64_t>> wholes_of(std::string_view key, const toml::node& node) {
    return list_of(key, node, whole_of);
}

TomlValue<std::vector<std::string>> texts_of(std::string_view key, const toml::node& node) {
    const auto text = [](std::string_view name, const toml::node& element) {
        return element.is_string()
                   ? text_of(name, element)
                   : tl::unexpected(wrong_type(name, element, "a string or a list of strings"));
    };
    return list_of<std::string>(key, node, text);
}

}  // namespace hora::read
