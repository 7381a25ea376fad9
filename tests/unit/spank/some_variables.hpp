// Variables of a step's tasks, and the layout that they are of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/job/step_layout.hpp"

namespace hora::spank {

inline Variables with(Variables variables, const Variables& more) {
    for (const auto& [name, value] : more) {
        variables.insert_or_assign(name, value);
    }
    return variables;
}

inline std::string value(const Variables& variables, std::string_view name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "(not set)" : found->second;
}

// Of nodes n0, n1, …
inline StepLayout layout_of(std::vector<std::uint32_t> tasks_per_node, std::uint32_t node,
                            std::uint32_t local_rank) {
    StepLayout layout;
    layout.tasks_per_node = std::move(tasks_per_node);
    layout.node = node;
    layout.local_rank = local_rank;
    layout.local_world = layout.tasks_per_node[node];
    layout.world = 0;
    for (std::size_t i = 0; i < layout.tasks_per_node.size(); ++i) {
        layout.nodes.push_back("n" + std::to_string(i));
        layout.rank += i < node ? layout.tasks_per_node[i] : 0;
        layout.world += layout.tasks_per_node[i];
    }
    layout.rank += local_rank;
    return layout;
}

}  // namespace hora::spank
