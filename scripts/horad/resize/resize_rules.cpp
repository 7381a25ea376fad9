// What of a job's request has its owner fixed, and what follows the number of its GPUs?
#include "scripts/horad/resize/resize_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/tres.hpp"
#include "scripts/horad/observe/allowed_sizes.hpp"

namespace hora::horad {
namespace {

bool was_open(const domain::Decision& decision, std::string_view field) {
    return std::any_of(decision.changes.begin(), decision.changes.end(),
                       [&](const domain::FieldChange& change) {
                           return change.field == field && change.before.empty();
                       });
}

// What the owner said of a field; `planned` where that and the plan are the same.
std::uint32_t said(const domain::Decision& decision, std::string_view field, std::uint32_t planned,
                   std::uint32_t unsaid) {
    for (const domain::FieldChange& change : decision.changes) {
        if (change.field == field) {
            return read::parse_whole_number(change.before, {0, domain::unlimited_nodes})
                .map([](std::uint64_t nodes) { return static_cast<std::uint32_t>(nodes); })
                .value_or(unsaid);
        }
    }
    return planned;
}

std::uint32_t least_nodes(const domain::Decision& decision) {
    return said(decision, "min_nodes", decision.nodes, 1);
}

// GPUs by the node without -N are one node to Slurm.
std::uint32_t most_nodes(const domain::Decision& decision) {
    if (!was_open(decision, "tres_per_node") && was_open(decision, "max_nodes")) {
        return least_nodes(decision);
    }
    return said(decision, "max_nodes", decision.nodes, domain::unlimited_nodes);
}

std::uint32_t planned(const domain::Decision& decision, std::string_view field) {
    const auto found =
        std::find_if(decision.changes.begin(), decision.changes.end(),
                     [&](const domain::FieldChange& change) { return change.field == field; });
    const auto number = found == decision.changes.end()
                            ? Expected<std::uint64_t>(0)
                            : read::parse_whole_number(found->after, {0, domain::unlimited_nodes});
    return static_cast<std::uint32_t>(number.value_or(0));
}

// One task a node, by the owner's word: it drives whatever GPUs the node gives.
bool is_launcher(const domain::Decision& decision) {
    return !was_open(decision, "ntasks_per_node") && decision.nodes > 0 &&
           planned(decision, "num_tasks") == decision.nodes;
}

// Tasks that were counted count GPUs, one each, where these were not.
bool has_fixed_gpus_of_node(const domain::Decision& decision) {
    const bool counts_tasks = !was_open(decision, "ntasks_per_node") && !is_launcher(decision);
    return !was_open(decision, "tres_per_node") || counts_tasks || has_whole_nodes(decision);
}

// Where Hora chose the CPUs of a launcher they follow its GPUs, by the proportion of the plan, lest
// a part be lost with every resize.
void follow_gpus(ResizeRules& rules, const domain::Decision& decision) {
    const std::uint32_t cpus = planned(decision, "cpus_per_task");
    if (cpus > 0 && was_open(decision, "cpus_per_task")) {
        rules.cpus_per_task = cpus;
        rules.gpus_of_task = std::max(1U, decision.gpus / decision.nodes);
    }
}

}  // namespace

std::uint32_t ResizeRules::cpus_of_task_with(std::uint32_t gpus) const {
    return gpus_of_task == 0
               ? cpus_per_task
               : std::max(1U, static_cast<std::uint32_t>(std::uint64_t{cpus_per_task} * gpus /
                                                         gpus_of_task));
}

std::string why_fixed(const domain::Decision& decision) {
    const bool is_by_job = std::any_of(
        decision.changes.begin(), decision.changes.end(), [](const domain::FieldChange& change) {
            return change.field == "tres_per_job" && !change.before.empty();
        });
    if (is_by_job) {
        return "its owner fixed its GPUs (--gpus)";
    }
    if (!was_open(decision, "num_tasks")) {
        return "its owner fixed the number of its tasks, and so of its GPUs";
    }
    return has_fixed_gpus_of_node(decision) && least_nodes(decision) == most_nodes(decision)
               ? "its owner fixed its nodes and the GPUs of each"
               : "";
}

tl::unexpected<Error> cannot_resize(const slurm::Job& job, const std::string& why) {
    return failure(fmt::format("job {} cannot be resized: {}", job.id, why));
}

Expected<ResizeRules> rules_of(const slurm::Job& job, const FindMemory& find) {
    const auto memory = find(job.admin_comment);
    if (!memory || !memory->decision.has_applied_plan()) {
        return cannot_resize(job, "Hora did not write its request");
    }
    const domain::Decision& decision = memory->decision;
    const auto tres = slurm::parse_tres(job.shape.tres_per_node);
    if (!tres || !job.tres_per_job.empty() || !slurm::asks_only_for_cpus(job.tres_per_task)) {
        return cannot_resize(job, "its GPUs are not requested by the node");
    }
    const slurm::GpuCount count = slurm::count_gpus(*tres);
    if (count.all == 0 || count.typed.size() > 1) {
        return cannot_resize(job, "its GPUs are not requested by the node, of one type");
    }
    if (const std::string why = why_fixed(decision); !why.empty()) {
        return cannot_resize(job, why);
    }
    ResizeRules rules;
    rules.gpu_type = count.typed.empty() ? std::string() : count.typed.front().type;
    for (const slurm::Tres& item : *tres) {
        if (item.name != "gpu") {
            return cannot_resize(job, "it asks for more than GPUs by the node");
        }
    }
    const auto per_node = static_cast<std::uint32_t>(count.all);
    rules.gpus_per_node = has_fixed_gpus_of_node(decision) ? per_node : 0;
    rules.least_nodes = least_nodes(decision);
    rules.most_nodes = most_nodes(decision);
    rules.tasks_per_node =
        was_open(decision, "ntasks_per_node") || job.shape.tasks_per_node == per_node
            ? 0
            : job.shape.tasks_per_node;
    rules.cpus_per_task = std::max(1U, job.shape.cpus_per_task);
    if (is_launcher(decision)) {
        rules.tasks_per_node = 1;
        follow_gpus(rules, decision);
    }
    rules.is_balanced = decision.mode == domain::Mode::balanced;
    return rules;
}

}  // namespace hora::horad
