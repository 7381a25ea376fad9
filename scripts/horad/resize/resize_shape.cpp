// Which request is so many GPUs for this job, on the cluster as it is?
#include "scripts/horad/resize/resize_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/request/rewrite/placement.hpp"
#include "plugins/slurm/tres.hpp"
#include "scripts/horad/resize/node_fit.hpp"
#include "scripts/horad/resize/resize_rules.hpp"

namespace hora::horad {
namespace {

// The same rule as at submission, asked for the nodes that would be taken.
std::optional<request::SocketRule> together(const NodeFit& fit, const ResizeRules& rules,
                                            const slurm::JobShape& shape, std::uint32_t per_node,
                                            Seconds wait) {
    const domain::Cluster& cluster = fit.snapshot().cluster;
    std::vector<std::uint32_t> taken = fit.candidates(per_node, true);
    if (per_node < 2 || taken.size() < shape.nodes) {
        return std::nullopt;
    }
    taken.resize(shape.nodes);
    domain::Plan plan;
    request::Shape asked;
    asked.nodes = shape.nodes;
    asked.gpus_per_node = per_node;
    asked.gpus = per_node * shape.nodes;
    asked.tasks = shape.tasks;
    asked.tasks_per_node = shape.tasks_per_node;
    asked.cpus_per_task = rules.cpus_of_task_with(per_node);
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        if (std::find(taken.begin(), taken.end(), cluster.gpus[gpu].node) != taken.end()) {
            plan.members.push_back({.gpu = gpu, .share = 1});
        }
    }
    request::Submission submission;
    submission.is_batch = true;
    submission.cpus_per_task = asked.cpus_per_task;
    return placing_of(plan, asked, submission, {.nodes = fit.scope()}, fit.snapshot(),
                      {.wait = wait})
        .rule;
}

slurm::JobShape shape_on(std::uint32_t nodes, std::uint32_t gpus, const NodeFit& fit,
                         const ResizeRules& rules, std::uint32_t version, Seconds wait) {
    const std::uint32_t per_node = gpus / nodes;
    slurm::JobShape shape;
    shape.nodes = nodes;
    shape.tasks_per_node = rules.tasks_with(per_node);
    shape.tasks = shape.tasks_per_node * nodes;
    shape.cpus_per_task = rules.cpus_of_task_with(per_node);
    shape.cpus = shape.tasks * shape.cpus_per_task;
    shape.tres_per_node = slurm::format_gpus(version, rules.gpu_type, per_node);
    if (const auto rule = together(fit, rules, shape, per_node, wait)) {
        shape.tres_per_socket = slurm::format_gpus(version, rules.gpu_type, rule->gpus_per_socket);
        shape.sockets_per_node = rule->sockets;
        shape.cores_per_socket = rule->cores_per_socket;
    }
    return shape;
}

bool is_allowed(std::uint32_t gpus, const std::vector<std::uint32_t>& sizes) {
    return sizes.empty() || std::find(sizes.begin(), sizes.end(), gpus) != sizes.end();
}

std::uint32_t least_of(const Resize& resize) {
    const auto least = std::min_element(resize.sizes.begin(), resize.sizes.end());
    return std::max(least == resize.sizes.end() ? 1U : *least, resize.min);
}

}  // namespace

Expected<slurm::JobShape> SnapshotShaper::shape(const slurm::Job& job, std::uint32_t gpus) const {
    const auto rules = rules_of(job, find_);
    if (!rules) {
        return unexpected(rules.error());
    }
    if (rules->is_balanced) {
        return cannot_resize(job, "its GPUs have unequal shares");
    }
    const NodeFit fit(job, *rules, *snapshot_);
    auto nodes = fit.nodes_for(gpus, true);
    // One that runs is not to end up waiting.
    if (!nodes && job.state == slurm::JobState::pending) {
        nodes = fit.nodes_for(gpus, false);
    }
    const bool is_now = job.state != slurm::JobState::pending;
    if (const std::string limit = nodes ? std::string() : fit.limit_of(gpus, is_now);
        !limit.empty()) {
        return cannot_resize(job, fmt::format("{} GPUs are over a limit: {}", gpus, limit));
    }
    if (!nodes) {
        return cannot_resize(job,
                             fmt::format("no nodes that it may have give {} GPUs{}, with the same "
                                         "number on each",
                                         gpus, is_now ? " now" : ""));
    }
    return shape_on(*nodes, gpus, fit, *rules, version_, wait_);
}

Expected<slurm::JobShape> SnapshotShaper::fallback(const slurm::Job& job, const Resize& resize,
                                                   std::uint32_t most) const {
    const auto rules = rules_of(job, find_);
    if (!rules) {
        return unexpected(rules.error());
    }
    const NodeFit fit(job, *rules, *snapshot_);
    const std::uint32_t least = least_of(resize);
    for (std::uint32_t gpus = most; gpus >= least; --gpus) {
        const auto nodes =
            is_allowed(gpus, resize.sizes) ? fit.nodes_for(gpus, true) : std::nullopt;
        if (nodes) {
            return shape_on(*nodes, gpus, fit, *rules, version_, Seconds(0));
        }
    }
    const auto nodes = fit.nodes_for(least, false);
    if (!nodes) {
        return cannot_resize(job, fmt::format("no nodes that it may have give {} GPUs", least));
    }
    return shape_on(*nodes, least, fit, *rules, version_, Seconds(0));
}

}  // namespace hora::horad
