// Which types of node does a cluster have?
#include "libplanner/read/trace/node_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_types = 64;
constexpr std::uint32_t most_nodes = 100'000;
constexpr std::uint32_t most_gpus_of_a_node = 1'000;

// What a field of a table with commas can hold.
bool is_name(std::string_view text) {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

Expected<domain::NodeType> read_node_type(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::size_t times = text.find('x', equals);
    if (times == std::string_view::npos || !is_name(text.substr(0, equals))) {
        return wrong_use(fmt::format("{} is no type of node; write NAME=NODESxGPUS, e.g. a100=4x8",
                                     quoted(text)));
    }
    const auto nodes = parse_whole_number(text.substr(equals + 1, times - equals - 1),
                                          {.min = 1, .max = most_nodes});
    if (!nodes) {
        return unexpected(nodes.error().within(fmt::format("nodes of {}", quoted(text))));
    }
    const auto gpus =
        parse_whole_number(text.substr(times + 1), {.min = 1, .max = most_gpus_of_a_node});
    if (!gpus) {
        return unexpected(gpus.error().within(fmt::format("GPUs of a node of {}", quoted(text))));
    }
    return domain::NodeType{std::string(text.substr(0, equals)), static_cast<std::uint32_t>(*nodes),
                            static_cast<std::uint32_t>(*gpus)};
}

}  // namespace

Expected<std::vector<domain::NodeType>> read_node_types(std::span<const std::string> texts) {
    std::vector<domain::NodeType> types;
    std::uint32_t nodes = 0;
    for (const std::string& text : texts) {
        auto type = read_node_type(text);
        if (!type) {
            return unexpected(type.error());
        }
        const bool is_again =
            std::any_of(types.begin(), types.end(),
                        [&](const domain::NodeType& other) { return other.name == type->name; });
        if (is_again) {
            return wrong_use(fmt::format("names {} twice; give all nodes of a type at once",
                                         quoted(type->name)));
        }
        nodes += type->nodes;
        types.push_back(*std::move(type));
        if (types.size() > most_types) {
            return wrong_use(fmt::format("more than {} types of node", most_types));
        }
        if (nodes > most_nodes) {
            return wrong_use(fmt::format("more than {} nodes in all", most_nodes));
        }
    }
    return types;
}

}  // namespace hora::read
