// How is the ring set up for one task: which GPU comes first, which CPUs, which variables?
#include "plugins/spank/ring/ring_place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/ring/cpu_mask.hpp"
#include "plugins/spank/ring/gpu_order.hpp"
#include "plugins/spank/ring/visible_gpus.hpp"

namespace hora::spank {
namespace {

// Longer lists of nodes are folded, and left out where that is too long too.
constexpr std::size_t longest_plain_list = 1'000;
constexpr std::size_t longest_list = 16'000;

constexpr std::string_view isolation_remark =
    "each task sees only its own GPUs (--gpus-per-task or --gpu-bind), so those of one node reach "
    "each other through host memory, not directly; with --gres or --gpus-per-node they can";

std::vector<std::string> expand(const std::string* list) {
    return list == nullptr ? std::vector<std::string>()
                           : read::expand_hostlist(*list).value_or(std::vector<std::string>());
}

// Said once a job: by the script, or by the first task of each step where there is none.
void tell_once(Prepared& prepared, JobRecord& record, const char* what, std::string remark) {
    if (record.told.insert(what).second) {
        prepared.remarks.push_back(std::move(remark));
    }
}

// By --gpus-per-task, which newer releases tell of only as one of the resources of a task.
bool has_gpus_by_task(const Environment& environment) {
    const std::string* const resources = environment.find("SLURM_TRES_PER_TASK");
    return environment.find("SLURM_GPUS_PER_TASK") != nullptr ||
           (resources != nullptr && resources->find("gpu") != std::string::npos);
}

// A script whose job asked for GPUs by task.
bool will_isolate(const Environment& environment, const TaskFacts& facts) {
    const std::string* const text = environment.find("SLURM_TASKS_PER_NODE");
    if (!facts.is_batch || text == nullptr || !has_gpus_by_task(environment)) {
        return false;
    }
    const auto tasks = read_tasks_per_node(*text);
    return tasks && std::any_of(tasks->begin(), tasks->end(), [](auto count) { return count > 1; });
}

// The nodes in the order of the ranks of a step; a script has none.
struct RingNodes {
    std::vector<std::string> nodes;  // empty: not known
    bool are_several = false;
};

// Of several nodes only srun knows the order: releases lay ranks out by rules of their own.
RingNodes nodes_of_step(const StepLayout& layout) {
    const bool are_several = layout.nodes.size() > 1;
    return {layout.is_by_rank || !are_several ? layout.nodes : std::vector<std::string>(),
            are_several};
}

RingNodes nodes_of_job(const Environment& environment) {
    const std::vector<std::string> nodes = expand(environment.find("SLURM_JOB_NODELIST"));
    return {nodes.size() == 1 ? nodes : std::vector<std::string>(), nodes.size() > 1};
}

std::optional<GpuOrder> find_order(Prepared& prepared, JobRecord& record,
                                   const VisibleGpus& visible, GpuRules rules,
                                   const TaskFacts& facts) {
    if (visible.gpus.empty()) {
        return std::nullopt;
    }
    if (!facts.topology_problem.empty()) {
        tell_once(prepared, record, "topology",
                  facts.topology_problem + "; GPUs stay in Slurm's order");
    }
    if (!facts.topology) {
        return std::nullopt;
    }
    auto order = order_gpus(*facts.topology, visible.gpus, rules);
    if (!order) {
        tell_once(prepared, record, "topology",
                  fmt::format("{}: {}; GPUs stay in Slurm's order", facts.topology_file,
                              order.error().message));
        return std::nullopt;
    }
    return *std::move(order);
}

void reorder_devices(Environment& environment, const GpuOrder& order) {
    for (const char* const name : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
        const std::string* const words = environment.find(name);
        auto ordered = words == nullptr ? std::nullopt : reorder(*words, order.positions);
        if (ordered && *ordered != *words) {
            environment.set(name, *std::move(ordered));
        }
    }
}

// The CPUs near some GPUs; empty where the topology does not tell.
Cpus near_gpus(const domain::Topology& topology, std::span<const std::uint32_t> gpus) {
    Cpus cpus;
    for (const std::uint32_t gpu : gpus) {
        const Cpus& near = topology.gpus[gpu].cpus;
        cpus.insert(cpus.end(), near.begin(), near.end());
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

// By -c, or by --cpus-per-gpu of a task with one GPU.
std::size_t cpus_asked_for(const Environment& environment) {
    std::uint64_t cpus = 1;
    for (const char* const name : {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_PER_GPU"}) {
        const std::string* const text = environment.find(name);
        const auto number = text == nullptr ? Expected<std::uint64_t>(1)
                                            : read::parse_whole_number(*text, {1, 65'000});
        cpus = std::max(cpus, number.value_or(1));
    }
    return cpus;
}

// For one task a GPU, whether it sees the others or not. A task that drives several, or shares one,
// keeps its CPUs: which of them it needs where only it knows.
Cpus cpus_of_task(const Environment& environment, const GpuOrder& order, bool is_isolated,
                  const StepLayout& layout, const TaskFacts& facts) {
    TaskCpus task{.task = 0,
                  .own = facts.cpus,
                  .bound = {},
                  .near = {},
                  .asked = cpus_asked_for(environment)};
    if (is_isolated) {
        task.near = {near_gpus(*facts.topology, order.gpus)};
    } else if (order.gpus.size() == layout.local_world) {
        task.task = layout.local_rank;
        for (const std::uint32_t gpu : order.gpus) {
            task.near.push_back(near_gpus(*facts.topology, {&gpu, 1}));
        }
        const std::string* const type = environment.find("SLURM_CPU_BIND_TYPE");
        const std::string* const masks = environment.find("SLURM_CPU_BIND_LIST");
        if (type != nullptr && masks != nullptr && type->starts_with("mask_cpu")) {
            task.bound = read_masks(*masks);
        }
    }
    return choose_cpus(task);
}

Bandwidth slower(Bandwidth a, Bandwidth b) {
    return a.count() <= 0 ? b : b.count() <= 0 ? a : std::min(a, b);
}

}  // namespace

std::string ring_text(const std::vector<std::string>& nodes, const std::vector<std::uint32_t>& gpus,
                      Bandwidth bottleneck) {
    std::vector<std::string> parts;
    std::string list = fmt::format("{}", fmt::join(nodes, ","));
    if (list.size() > longest_plain_list) {
        list = read::fold_hostlist(nodes);
    }
    if (!list.empty() && list.size() <= longest_list) {
        parts.push_back("nodes=" + list);
    }
    if (!gpus.empty()) {
        parts.push_back(fmt::format("gpus={}", fmt::join(gpus, ",")));
    }
    if (bottleneck.count() > 0) {
        parts.push_back(fmt::format("bottleneck={:g}", bottleneck.count()));
    }
    return fmt::format("{}", fmt::join(parts, ";"));
}

void place_ring(Prepared& prepared, JobRecord& record, const StepLayout* layout,
                const WordOfSrun& word, const TaskFacts& facts, const ComputeSettings& settings) {
    Environment& environment = prepared.environment;
    const RingNodes ring = layout != nullptr ? nodes_of_step(*layout) : nodes_of_job(environment);
    const VisibleGpus visible = read_visible_gpus(environment, facts.is_batch);
    const bool is_isolated =
        layout != nullptr && layout->local_world > 1 && visible.seen < visible.of_step;
    if (is_isolated || will_isolate(environment, facts)) {
        tell_once(prepared, record, "isolation", std::string(isolation_remark));
    }
    const auto order =
        find_order(prepared, record, visible,
                   {.is_chain = ring.are_several, .may_move = record.is_placed}, facts);
    if (order && record.is_placed) {
        reorder_devices(environment, *order);
        if (layout != nullptr && word.may_bind) {
            prepared.cpus = cpus_of_task(environment, *order, is_isolated, *layout, facts);
        }
    }
    const Bandwidth inside = order && !is_isolated ? order->bottleneck : Bandwidth();
    const Bandwidth between = ring.are_several ? settings.network : Bandwidth();
    const std::string text =
        ring_text(ring.nodes, order ? order->gpus : visible.gpus, slower(inside, between));
    if (!text.empty() && !facts.is_launcher && environment.find("HORA_RING") == nullptr) {
        environment.set("HORA_RING", text);
        record.step_set.insert_or_assign("HORA_RING", text);
    }
}

}  // namespace hora::spank
