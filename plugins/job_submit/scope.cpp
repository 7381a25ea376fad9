// Which GPUs may this job be given: by partition, state, constraint, node lists, reservation.
#include "plugins/job_submit/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "libplanner/read/hostlist.hpp"
#include "plugins/job_submit/features.hpp"

namespace hora::submit {
namespace {

using Indices = std::vector<std::uint32_t>;
using Keep = std::function<bool(std::uint32_t)>;

void keep_only(Indices& nodes, const Keep& keep) {
    std::erase_if(nodes, [&](std::uint32_t node) { return !keep(node); });
}

bool holds(const Indices& ascending, std::uint32_t node) {
    return std::binary_search(ascending.begin(), ascending.end(), node);
}

Expected<std::unordered_set<std::string>> names(const std::string& list, std::size_t limit) {
    const auto expanded = read::expand_hostlist(list, limit);
    if (!expanded) {
        return unexpected(expanded.error());
    }
    return std::unordered_set<std::string>(expanded->begin(), expanded->end());
}

Expected<void> keep_reserved(const Submission& submission, const domain::Snapshot& snapshot,
                             Indices& nodes) {
    for (const domain::Reservation& reservation : snapshot.reservations) {
        if (reservation.name == submission.reservation) {
            keep_only(nodes, [&](std::uint32_t node) { return holds(reservation.nodes, node); });
            return {};
        }
    }
    return failure(
        fmt::format("reservation \"{}\" is not in the snapshot", submission.reservation));
}

// A reservation that begins before the job can be over keeps it off its nodes.
void leave_reserved(const domain::Snapshot& snapshot, Window window, Indices& nodes) {
    for (const domain::Reservation& reservation : snapshot.reservations) {
        const bool is_over = reservation.ends <= window.now;
        const bool is_later =
            static_cast<double>(reservation.starts - window.now) > window.lasts.count();
        if (!is_over && !is_later) {
            keep_only(nodes, [&](std::uint32_t node) { return !holds(reservation.nodes, node); });
        }
    }
}

Expected<void> keep_constrained(const Submission& submission, const domain::Snapshot& snapshot,
                                Indices& nodes) {
    const auto is_understood = satisfies(submission.features, {});
    if (!is_understood) {
        return failure(
            fmt::format("constraint \"{}\" ties nodes to each other", submission.features));
    }
    keep_only(nodes, [&](std::uint32_t node) {
        return satisfies(submission.features, snapshot.states[node].features).value_or(false);
    });
    return {};
}

Expected<bool> keep_listed(const Submission& submission, const domain::Snapshot& snapshot,
                           Indices& nodes) {
    const std::size_t limit = snapshot.cluster.nodes.size();
    const auto name = [&](std::uint32_t node) { return snapshot.cluster.nodes[node].name; };
    if (!submission.excluded_nodes.empty()) {
        const auto excluded = names(submission.excluded_nodes, limit);
        if (!excluded) {
            return unexpected(excluded.error());
        }
        keep_only(nodes, [&](std::uint32_t node) { return !excluded->contains(name(node)); });
    }
    if (submission.required_nodes.empty()) {
        return false;
    }
    const auto required = names(submission.required_nodes, limit);
    if (!required) {
        return unexpected(required.error());
    }
    keep_only(nodes, [&](std::uint32_t node) { return required->contains(name(node)); });
    if (nodes.size() != required->size()) {
        return failure(fmt::format("a node of \"{}\" cannot be used", submission.required_nodes));
    }
    if (submission.min_nodes.value_or(1) > nodes.size()) {
        return failure(fmt::format("\"{}\" names only some of the {} nodes",
                                   submission.required_nodes, *submission.min_nodes));
    }
    return true;
}

bool is_idle(const domain::Cluster& cluster, const domain::NodeState& state, std::uint32_t node,
             std::size_t gpus, std::size_t free) {
    const std::uint32_t cpus = cluster.nodes[node].cpus;
    return gpus == free && (cpus == 0 || state.free_cpus >= cpus);
}

// How many GPUs a node can lend, going by its CPUs.
std::size_t cpu_bound(const domain::Node& node, const domain::NodeState& state,
                      const domain::Partition& partition, Lending lending) {
    if (node.cpus == 0) {
        return std::size_t{0} - 1;  // not known: no bound
    }
    std::uint32_t cpus = lending.as_if_idle ? node.cpus : std::min(node.cpus, state.free_cpus);
    cpus = std::min({cpus, partition.max_cpus_per_node.value_or(cpus), lending.max_cpus_of_node});
    return cpus / std::max(1U, lending.cpus_per_gpu);
}

}  // namespace

Expected<Scope> scope_of(const Submission& submission, const domain::Partition& partition,
                         const domain::Snapshot& snapshot, Window window) {
    Scope scope{.nodes = partition.nodes};
    keep_only(scope.nodes, [&](std::uint32_t node) { return snapshot.states[node].is_usable; });
    if (submission.memory_per_node) {
        keep_only(scope.nodes, [&](std::uint32_t node) {
            const std::uint64_t memory = snapshot.states[node].memory_mib;
            return memory == 0 || memory >= *submission.memory_per_node;
        });
    }
    if (submission.reservation.empty()) {
        leave_reserved(snapshot, window, scope.nodes);
    } else if (auto kept = keep_reserved(submission, snapshot, scope.nodes); !kept) {
        return unexpected(kept.error());
    }
    if (auto kept = keep_constrained(submission, snapshot, scope.nodes); !kept) {
        return unexpected(kept.error());
    }
    const auto is_fixed = keep_listed(submission, snapshot, scope.nodes);
    if (!is_fixed) {
        return unexpected(is_fixed.error());
    }
    scope.is_fixed_to_nodes = *is_fixed;
    if (scope.nodes.empty()) {
        return failure(fmt::format("no usable node of partition \"{}\" is left", partition.name));
    }
    return scope;
}

domain::Cluster lent(const Scope& scope, const Submission& submission,
                     const domain::Partition& partition, const domain::Snapshot& snapshot,
                     Lending lending) {
    domain::Cluster cluster = snapshot.cluster;
    const std::string& type = submission.gpus.type;
    for (auto first = cluster.gpus.begin(); first != cluster.gpus.end();) {
        const std::uint32_t node = first->node;
        const auto last = std::find_if(first, cluster.gpus.end(),
                                       [&](const domain::Gpu& gpu) { return gpu.node != node; });
        const auto all = static_cast<std::size_t>(last - first);
        const auto free = static_cast<std::size_t>(
            std::count_if(first, last, [](const domain::Gpu& gpu) { return gpu.is_free; }));
        std::size_t left = std::min<std::size_t>(
            lending.max_gpus_of_node,
            cpu_bound(cluster.nodes[node], snapshot.states[node], partition, lending));
        const bool is_whole_needed = submission.is_exclusive && !lending.as_if_idle;
        if (!holds(scope.nodes, node) ||
            (is_whole_needed && !is_idle(cluster, snapshot.states[node], node, all, free))) {
            left = 0;
        }
        for (; first != last; ++first) {
            const bool is_wanted = type.empty() || cluster.devices[first->device].name == type;
            first->is_free = left > 0 && is_wanted && (first->is_free || lending.as_if_idle);
            left -= first->is_free ? 1 : 0;
        }
    }
    return cluster;
}

}  // namespace hora::submit
