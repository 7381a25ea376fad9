// What of a job's request has its owner fixed, and what follows the number of its GPUs?
#include "scripts/horad/resize_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "libplanner/read/decision_token.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/tres.hpp"
#include "scripts/horad/allowed_sizes.hpp"

namespace hora::horad {
namespace {

bool was_open(const domain::Decision& decision, std::string_view field) {
    return std::any_of(decision.changes.begin(), decision.changes.end(),
                       [&](const domain::FieldChange& change) {
                           return change.field == field && change.before.empty();
                       });
}

// What the owner said of a field; `planned` where his word and the plan are the same.
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

}  // namespace

tl::unexpected<Error> cannot_resize(const slurm::JobView& job, const std::string& why) {
    return failure(fmt::format("job {} cannot be resized: {}", job.id, why));
}

Expected<ResizeRules> rules_of(const slurm::JobView& job) {
    const auto found = read::find_decision(job.admin_comment);
    if (!found || !*found || !(*found)->has_plan || (*found)->operating != "act") {
        return cannot_resize(job, "Hora did not write its request");
    }
    const domain::Decision& decision = **found;
    const auto tres = slurm::parse_tres(job.shape.tres_per_node);
    if (!tres || !job.tres_per_job.empty() || !job.tres_per_task.empty()) {
        return cannot_resize(job, "its GPUs are not asked for by the node");
    }
    const slurm::GpuCount count = slurm::count_gpus(*tres);
    if (count.all == 0 || count.typed.size() > 1) {
        return cannot_resize(job, "its GPUs are not asked for by the node, of one type");
    }
    if (!was_open(decision, "num_tasks") && !was_open(decision, "ntasks_per_node")) {
        return cannot_resize(job, "its owner fixed the number of tasks");
    }
    ResizeRules rules;
    rules.gpu_type = count.typed.empty() ? std::string() : count.typed.front().type;
    for (const slurm::Tres& item : *tres) {
        if (item.name != "gpu") {
            return cannot_resize(job, "it asks for more than GPUs by the node");
        }
    }
    const auto per_node = static_cast<std::uint32_t>(count.all);
    const bool is_open = was_open(decision, "tres_per_node") && !has_whole_nodes(decision);
    rules.gpus_per_node = is_open ? 0 : per_node;
    rules.least_nodes = said(decision, "min_nodes", decision.nodes, 1);
    rules.most_nodes = said(decision, "max_nodes", decision.nodes, domain::unlimited_nodes);
    rules.tasks_per_node =
        was_open(decision, "ntasks_per_node") || job.shape.tasks_per_node == per_node
            ? 0
            : job.shape.tasks_per_node;
    rules.cpus_per_task = std::max(1U, job.cpus_per_task);
    rules.is_balanced = decision.mode == domain::Mode::balanced;
    return rules;
}

}  // namespace hora::horad
