// Which GPUs may this job be given: by partition, state, constraint, node lists, reservation.
#include "libplanner/request/scope/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/request/scope/cpu_need.hpp"
#include "libplanner/request/scope/features.hpp"

namespace hora::request {
namespace {

// It is looked at for each node of a partition.
constexpr std::size_t longest_constraint = 4096;

using Indices = std::vector<std::uint32_t>;

template <class Keep>
void keep_only(Indices& nodes, Keep keep) {
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

Expected<void> keep_usable(const Submission&, const domain::Snapshot& snapshot, Window,
                           Indices& nodes) {
    keep_only(nodes, [&](std::uint32_t node) { return snapshot.states[node].is_usable; });
    return {};
}

// The fewest GPUs that the job may have on a node.
std::uint32_t least_gpus(const Submission& submission) {
    return submission.gpus.per_node.value_or(1);
}

// available_gpus() has what more GPUs of a node need.
Expected<void> keep_large_enough(const Submission& submission, const domain::Snapshot& snapshot,
                                 Window, Indices& nodes) {
    const std::uint32_t gpus = least_gpus(submission);
    const std::uint64_t cpus = cpu_need(submission).with(gpus);
    keep_only(nodes, [&](std::uint32_t node) {
        const domain::NodeState& state = snapshot.states[node];
        return memory_bound(state, submission.memory_per_node) >= 1 &&
               memory_bound(state, submission.memory_per_gpu) >= gpus &&
               memory_bound(state, submission.memory_per_cpu) >= cpus;
    });
    return {};
}

std::string memory_said(const Submission& submission) {
    if (submission.memory_per_gpu) {
        const std::uint32_t gpus = least_gpus(submission);
        const std::string whose = gpus == 1 ? "GPU" : fmt::format("of {} GPUs", gpus);
        return fmt::format(" by {} MiB of memory for each {}", *submission.memory_per_gpu, whose);
    }
    return submission.memory_per_cpu
               ? fmt::format(" by {} MiB of memory for each CPU", *submission.memory_per_cpu)
               : fmt::format(" by {} MiB of memory on each node",
                             submission.memory_per_node.value_or(0));
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
        fmt::format("reservation {} is not in the snapshot", read::quoted(submission.reservation)));
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

Expected<void> heed_reservations(const Submission& submission, const domain::Snapshot& snapshot,
                                 Window window, Indices& nodes) {
    if (!submission.reservation.empty()) {
        return keep_reserved(submission, snapshot, nodes);
    }
    leave_reserved(snapshot, window, nodes);
    return {};
}

Expected<void> keep_constrained(const Submission& submission, const domain::Snapshot& snapshot,
                                Window, Indices& nodes) {
    if (submission.features.size() > longest_constraint) {
        return failure(fmt::format("constraint {} is longer than {} letters",
                                   read::quoted(submission.features), longest_constraint));
    }
    const auto is_understood = satisfies(submission.features, {});
    if (!is_understood) {
        return failure(fmt::format("constraint {} ties nodes to each other",
                                   read::quoted(submission.features)));
    }
    if (submission.features.empty()) {
        return {};
    }
    // Nodes next to each other mostly have the same features, and a long constraint is slow to
    // read.
    const std::vector<std::string>* last = nullptr;
    bool was_kept = false;
    keep_only(nodes, [&](std::uint32_t node) {
        const std::vector<std::string>& features = snapshot.states[node].features;
        if (last == nullptr || *last != features) {
            was_kept = satisfies(submission.features, features).value_or(false);
            last = &features;
        }
        return was_kept;
    });
    return {};
}

bool is_of(const std::unordered_set<std::string>& listed, const domain::Snapshot& snapshot,
           std::uint32_t node) {
    return listed.contains(snapshot.cluster.nodes[node].name);
}

Expected<void> leave_excluded(const Submission& submission, const domain::Snapshot& snapshot,
                              Window, Indices& nodes) {
    if (submission.excluded_nodes.empty()) {
        return {};
    }
    const auto excluded = names(submission.excluded_nodes, snapshot.cluster.nodes.size());
    if (!excluded) {
        return unexpected(excluded.error());
    }
    keep_only(nodes, [&](std::uint32_t node) { return !is_of(*excluded, snapshot, node); });
    return {};
}

Expected<void> keep_required(const Submission& submission, const domain::Snapshot& snapshot, Window,
                             Indices& nodes) {
    if (submission.required_nodes.empty()) {
        return {};
    }
    const auto required = names(submission.required_nodes, snapshot.cluster.nodes.size());
    if (!required) {
        return unexpected(required.error());
    }
    keep_only(nodes, [&](std::uint32_t node) { return is_of(*required, snapshot, node); });
    if (nodes.size() != required->size()) {
        return failure(
            fmt::format("a node of {} cannot be used", read::quoted(submission.required_nodes)));
    }
    if (submission.min_nodes.value_or(1) > nodes.size()) {
        return failure(fmt::format("{} names only some of the {} nodes",
                                   read::quoted(submission.required_nodes), *submission.min_nodes));
    }
    return {};
}

struct Filter {
    Expected<void> (*keep)(const Submission& submission, const domain::Snapshot& snapshot,
                           Window window, Indices& nodes);
    std::string (*name)(const Submission& submission);  // for a message, where it leaves no node
};

// In this order.
constexpr Filter filters[] = {
    {keep_usable, [](const Submission&) { return std::string(); }},
    {keep_large_enough, memory_said},
    {heed_reservations,
     [](const Submission& job) {
         return job.reservation.empty() ? " by reservations"
                                        : " by reservation " + read::quoted(job.reservation);
     }},
    {keep_constrained,
     [](const Submission& job) { return " by constraint " + read::quoted(job.features); }},
    {leave_excluded,
     [](const Submission& job) {
         return " by excluded nodes " + read::quoted(job.excluded_nodes);
     }},
    {keep_required,
     [](const Submission& job) { return " by nodes " + read::quoted(job.required_nodes); }},
};

}  // namespace

std::uint64_t memory_bound(const domain::NodeState& state, std::optional<std::uint64_t> each) {
    return state.memory_mib == 0 || each.value_or(0) == 0
               ? std::numeric_limits<std::uint64_t>::max()
               : state.memory_mib / *each;
}

Expected<Scope> scope_of(const Submission& submission, const domain::Partition& partition,
                         const domain::Snapshot& snapshot, Window window) {
    Scope scope{.nodes = partition.nodes, .is_fixed_to_nodes = !submission.required_nodes.empty()};
    for (const Filter& filter : filters) {
        if (auto kept = filter.keep(submission, snapshot, window, scope.nodes); !kept) {
            return unexpected(kept.error());
        }
        if (scope.nodes.empty()) {
            return failure(fmt::format("no usable node of partition {} is left{}",
                                       read::quoted(partition.name), filter.name(submission)));
        }
    }
    return scope;
}

}  // namespace hora::request
