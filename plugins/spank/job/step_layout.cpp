// Where does a task stand in its step?
#include "plugins/spank/job/step_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::spank {
namespace {

constexpr std::uint64_t most_tasks = std::uint64_t{1} << 20;

Expected<std::uint32_t> read_number(std::string_view text, std::uint64_t min) {
    const auto number = read::parse_whole_number(text, {min, most_tasks});
    if (!number) {
        return unexpected(number.error());
    }
    return static_cast<std::uint32_t>(*number);
}

Expected<const std::string*> find(const Environment& environment, std::string_view name) {
    const std::string* const value = environment.find(name);
    if (value == nullptr) {
        return failure(fmt::format("{} is not set", name));
    }
    return value;
}

Expected<std::uint32_t> find_number(const Environment& environment, std::string_view name,
                                    std::uint64_t min) {
    const auto value = find(environment, name);
    if (!value) {
        return unexpected(value.error());
    }
    const auto number = read_number(**value, min);
    return number ? number : unexpected(number.error().within(name));
}

// Adds what one item, "2" or "2(x3)", stands for.
Expected<void> add_item(std::vector<std::uint32_t>& tasks, std::string_view item) {
    const std::size_t open = item.find("(x");
    const auto count = read_number(item.substr(0, open), 0);
    if (!count) {
        return unexpected(count.error());
    }
    std::uint32_t times = 1;
    if (open != std::string_view::npos) {
        if (!item.ends_with(')')) {
            return failure(fmt::format("{} lacks its ')'", read::quoted(item)));
        }
        const auto repeated = read_number(item.substr(open + 2, item.size() - open - 3), 1);
        if (!repeated) {
            return unexpected(repeated.error());
        }
        times = *repeated;
    }
    if (tasks.size() + times > most_tasks) {
        return failure("too many nodes");
    }
    tasks.insert(tasks.end(), times, *count);
    return {};
}

bool is_consistent(const StepLayout& layout) {
    const std::uint64_t tasks = std::accumulate(layout.tasks_per_node.begin(),
                                                layout.tasks_per_node.end(), std::uint64_t{0});
    return layout.nodes.size() == layout.tasks_per_node.size() && tasks == layout.world &&
           layout.rank < layout.world && layout.node < layout.nodes.size() &&
           layout.local_rank < layout.tasks_per_node[layout.node];
}

}  // namespace

std::uint32_t StepLayout::place() const {
    return std::accumulate(tasks_per_node.begin(), tasks_per_node.begin() + node, local_rank);
}

Expected<std::vector<std::uint32_t>> read_tasks_per_node(std::string_view text) {
    std::vector<std::uint32_t> tasks;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const auto added = add_item(tasks, text.substr(start, comma - start));
        if (!added) {
            return unexpected(added.error());
        }
        start = comma + 1;
    }
    return tasks;
}

Expected<StepLayout> read_step_layout(const Environment& environment) {
    StepLayout layout;
    const struct {
        std::string_view name;
        std::uint32_t& target;
        std::uint64_t min;
    } numbers[] = {
        {"SLURM_PROCID", layout.rank, 0},
        {"SLURM_STEP_NUM_TASKS", layout.world, 1},
        {"SLURM_LOCALID", layout.local_rank, 0},
        {"SLURM_NODEID", layout.node, 0},
    };
    for (const auto& number : numbers) {
        const auto value = find_number(environment, number.name, number.min);
        if (!value) {
            return unexpected(value.error());
        }
        number.target = *value;
    }
    const auto node_list = find(environment, "SLURM_STEP_NODELIST");
    const auto task_list = find(environment, "SLURM_STEP_TASKS_PER_NODE");
    if (!node_list || !task_list) {
        return unexpected((node_list ? task_list : node_list).error());
    }
    auto nodes = read::expand_hostlist(**node_list, most_tasks);
    auto tasks = read_tasks_per_node(**task_list);
    if (!nodes || !tasks) {
        return unexpected(nodes ? tasks.error() : nodes.error());
    }
    layout.nodes = *std::move(nodes);
    layout.tasks_per_node = *std::move(tasks);
    if (!is_consistent(layout)) {
        return failure("Slurm's variables of the step disagree");
    }
    layout.local_world = layout.tasks_per_node[layout.node];
    return layout;
}

void order_by_rank(StepLayout& layout, const std::vector<std::string>& ranked) {
    std::map<std::string_view, std::uint32_t> tasks;
    for (std::size_t node = 0; node < layout.nodes.size(); ++node) {
        tasks[layout.nodes[node]] = layout.tasks_per_node[node];
    }
    const std::set<std::string_view> names(ranked.begin(), ranked.end());
    if (names.size() != ranked.size() || names.size() != layout.nodes.size() ||
        !std::all_of(names.begin(), names.end(),
                     [&tasks](std::string_view name) { return tasks.contains(name); })) {
        return;
    }
    std::vector<std::uint32_t> tasks_per_node;
    for (const std::string& name : ranked) {
        tasks_per_node.push_back(tasks[name]);
    }
    const auto own = std::find(ranked.begin(), ranked.end(), layout.nodes[layout.node]);
    layout.node = static_cast<std::uint32_t>(own - ranked.begin());
    layout.tasks_per_node = std::move(tasks_per_node);
    layout.nodes = ranked;
    layout.is_by_rank = true;
}

}  // namespace hora::spank
