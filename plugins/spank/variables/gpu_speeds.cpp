// How fast is each task of a step, by the GPUs it has?
#include "plugins/spank/variables/gpu_speeds.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace hora::spank {
namespace {

// Empty where one of the types is not known.
std::vector<double> speeds_of(const NodeGpus& node, const std::vector<read::TypeSpeed>& speeds) {
    std::vector<double> found;
    for (const std::string& type : node.types) {
        const auto known = std::find_if(
            speeds.begin(), speeds.end(),
            [&type](const read::TypeSpeed& candidate) { return candidate.type == type; });
        if (known == speeds.end()) {
            return {};
        }
        found.push_back(known->speed);
    }
    return found;
}

// One task's part of its node's GPUs.
double part(const std::vector<double>& gpus, std::uint32_t task, std::uint32_t tasks) {
    const std::size_t count = gpus.size();
    if (count < tasks) {
        const std::size_t gpu = task * count / tasks;
        const std::size_t first = (gpu * tasks + count - 1) / count;
        const std::size_t next = ((gpu + 1) * tasks + count - 1) / count;
        return gpus[gpu] / static_cast<double>(next - first);
    }
    const auto at = [&](std::uint32_t n) {
        return gpus.begin() + static_cast<std::ptrdiff_t>(n * count / tasks);
    };
    return std::accumulate(at(task), at(task + 1), 0.0);
}

}  // namespace

std::vector<double> task_speeds(const StepLayout& layout, const std::vector<NodeGpus>& gpus,
                                const std::vector<read::TypeSpeed>& speeds) {
    std::unordered_map<std::string_view, const NodeGpus*> by_name;
    for (const NodeGpus& node : gpus) {
        by_name.emplace(node.node, &node);
    }
    std::vector<double> result;
    for (std::size_t node = 0; node < layout.nodes.size(); ++node) {
        const std::uint32_t tasks = layout.tasks_per_node[node];
        const auto found = by_name.find(layout.nodes[node]);
        const std::vector<double> of_node =
            found == by_name.end() ? std::vector<double>() : speeds_of(*found->second, speeds);
        if (of_node.empty() && tasks > 0) {
            return {};
        }
        for (std::uint32_t task = 0; task < tasks; ++task) {
            result.push_back(part(of_node, task, tasks));
        }
    }
    return result;
}

}  // namespace hora::spank
