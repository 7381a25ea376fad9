// Which GPUs do --nodes and --gpus name?
#include "scripts/hora/machine/gpu_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/words.hpp"

namespace hora::scripts {
namespace {

using Indices = std::vector<std::uint32_t>;

constexpr std::uint32_t most_gpus_of_a_node = 4096;

// What --gpus names; none: all, up to `count`.
Expected<Indices> gpus_named(const GpuChoice& choice, std::uint32_t count) {
    if (choice.gpus.empty()) {
        Indices all(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            all[i] = i;
        }
        return all;
    }
    Indices gpus;
    for (const std::string_view word : read::split_words(choice.gpus)) {
        const auto some = read::expand_ranges(word, most_gpus_of_a_node);
        if (!some || some->empty()) {
            return wrong_use(fmt::format("--gpus: {} is no list of GPUs, such as 0,1,4-7",
                                         read::quoted(choice.gpus)));
        }
        gpus.insert(gpus.end(), some->begin(), some->end());
    }
    std::sort(gpus.begin(), gpus.end());
    const auto twice = std::adjacent_find(gpus.begin(), gpus.end());
    if (twice != gpus.end()) {
        return wrong_use(fmt::format("--gpus names GPU {} twice", *twice));
    }
    return gpus;
}

// The nodes that --nodes names, in that order; without it all that have GPUs.
Expected<Indices> nodes_of(const domain::Cluster& cluster, const GpuChoice& choice) {
    Indices nodes;
    if (choice.nodes.empty()) {
        for (const domain::Gpu& gpu : cluster.gpus) {
            if (nodes.empty() || nodes.back() != gpu.node) {
                nodes.push_back(gpu.node);
            }
        }
        return nodes;
    }
    const auto names = read::expand_hostlist(choice.nodes);
    if (!names) {
        return unexpected(names.error().within("--nodes"));
    }
    std::map<std::string_view, std::uint32_t> known;
    std::vector<std::string_view> all;
    for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
        known.emplace(cluster.nodes[i].name, i);
        all.push_back(cluster.nodes[i].name);
    }
    std::vector<bool> is_named(cluster.nodes.size(), false);
    for (const std::string& name : *names) {
        const auto found = known.find(name);
        if (found == known.end()) {
            return wrong_use(
                fmt::format("unknown node {}{}", read::quoted(name), did_you_mean(name, all)));
        }
        if (is_named[found->second]) {
            return wrong_use(fmt::format("--nodes names {} twice", read::quoted(name)));
        }
        is_named[found->second] = true;
        nodes.push_back(found->second);
    }
    return nodes;
}

}  // namespace

Expected<Indices> gpus_of(const domain::Topology& machine, const GpuChoice& choice) {
    const auto count = static_cast<std::uint32_t>(machine.gpus.size());
    if (count == 0) {
        return wrong_use("the machine has no GPU");
    }
    auto gpus = gpus_named(choice, count);
    if (gpus && gpus->back() >= count) {
        return wrong_use(fmt::format("there is no GPU {}: the machine has {}, counted from 0",
                                     gpus->back(), count));
    }
    return gpus;
}

Expected<Indices> gpus_of(const domain::Cluster& cluster, const GpuChoice& choice) {
    const auto nodes = nodes_of(cluster, choice);
    if (!nodes) {
        return unexpected(nodes.error());
    }
    std::vector<Indices> by_node(cluster.nodes.size());
    for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
        by_node[cluster.gpus[i].node].push_back(i);
    }
    Indices gpus;
    for (const std::uint32_t node : *nodes) {
        const auto count = static_cast<std::uint32_t>(by_node[node].size());
        const auto named = gpus_named(choice, count);
        if (!named) {
            return unexpected(named.error());
        }
        for (const std::uint32_t gpu : *named) {
            if (gpu >= count) {
                return wrong_use(fmt::format("there is no GPU {} on node {}, which has {}", gpu,
                                             read::quoted(cluster.nodes[node].name), count));
            }
            gpus.push_back(by_node[node][gpu]);
        }
    }
    return gpus.empty() ? Expected<Indices>(wrong_use("these nodes have no GPU"))
                        : Expected<Indices>(std::move(gpus));
}

}  // namespace hora::scripts
