// Which limits bind a job that is to have another size, by its QOS, association and partition?
#include "scripts/horad/observe/headroom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "libplanner/base/counted.hpp"

namespace hora::horad {
namespace {

// Both kinds of job have the same words for who they are charged to.
template <class Job>
request::Limits limits_with(const Job& job, const domain::Caps& own,
                            const domain::Snapshot& cluster) {
    const request::Owner owner =
        request::owner_of(job.uid, {.user = {}, .account = job.account, .qos = job.qos}, cluster);
    return request::limits_of(owner, first_partition(job.partition), cluster, own);
}

domain::Caps held(std::uint32_t gpus, std::uint32_t nodes, std::uint32_t cpus,
                  const slurm::Charge& charge) {
    return {.gpus = gpus,
            .nodes = nodes,
            .cpus = cpus,
            .memory = static_cast<std::uint32_t>(charge.memory),
            .billing = static_cast<std::uint32_t>(charge.billing)};
}

std::uint64_t scaled(std::uint64_t amount, double factor) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(amount) * factor));
}

// Of a limit that grows in proportion to GPUs, at most so many.
void lower_by_charge(std::optional<std::uint32_t>& most, const request::Limit& limit,
                     std::uint64_t charge, std::uint32_t gpus) {
    if (limit.most && charge > 0) {
        const auto by_charge = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            std::uint64_t{*limit.most} * gpus / charge, domain::unlimited_gpus));
        most = std::min(most.value_or(by_charge), by_charge);
    }
}

}  // namespace

std::string first_partition(const std::string& partitions) {
    return partitions.substr(0, partitions.find(','));
}

request::Limits limits_of(const slurm::JobView& job, const domain::Snapshot& cluster) {
    const bool holds = job.stage != slurm::JobStage::pending;
    const domain::Caps own =
        holds ? held(job.held_gpus(), job.shape.nodes, job.shape.cpus, job.charge) : domain::Caps{};
    return limits_with(job, own, cluster);
}

request::Limits limits_of(const ObservedJob& job, const domain::Snapshot& cluster) {
    const bool holds =
        job.state == slurm::JobState::running || job.state == slurm::JobState::suspended;
    const domain::Caps own =
        holds ? held(job.gpus, job.nodes, job.cpus, job.charge) : domain::Caps{};
    return limits_with(job, own, cluster);
}

Claim with_charge(Claim claim, const slurm::JobView& job) {
    const std::uint32_t gpus =
        job.stage == slurm::JobStage::pending ? job.asked_gpus : job.held_gpus();
    const auto ratio = [](std::uint32_t size, std::uint32_t before) {
        return static_cast<double>(size) / std::max(1U, before);
    };
    const double by_nodes = ratio(claim.nodes, job.shape.nodes);
    const double by_cpus = ratio(claim.nodes * claim.cpus_per_node, job.shape.cpus);
    const double most =
        std::max({by_nodes, by_cpus, ratio(claim.nodes * claim.gpus_per_node, gpus)});
    const double by_memory = job.charge.memory_follows == slurm::MemoryFollows::nodes  ? by_nodes
                             : job.charge.memory_follows == slurm::MemoryFollows::cpus ? by_cpus
                                                                                       : most;
    claim.memory = scaled(job.charge.memory, by_memory);
    claim.billing = scaled(job.charge.billing, most);
    return claim;
}

std::string why_over(const request::Limits& limits, const Claim& claim) {
    struct Part {
        const request::Limit& limit;
        std::uint64_t wanted;
        std::string_view what;
        std::string_view of_what;
        std::string_view plural = "s";
    };
    const Part parts[] = {
        {limits.gpus, claim.nodes * claim.gpus_per_node, "GPU", ""},
        {limits.nodes, claim.nodes, "node", ""},
        {limits.cpus, claim.nodes * claim.cpus_per_node, "CPU", ""},
        {limits.memory, claim.memory, "MiB", " of memory", ""},
        {limits.billing, claim.billing, "unit", " of billing"},
        {limits.gpus_of_node, claim.gpus_per_node, "GPU", " of a node"},
        {limits.cpus_of_node, claim.cpus_per_node, "CPU", " of a node"},
    };
    for (const Part& part : parts) {
        if (part.limit.most && part.wanted > *part.limit.most) {
            return fmt::format("{} leaves it {}{}", part.limit.set_by,
                               counted(*part.limit.most, part.what, part.plural), part.of_what);
        }
    }
    return {};
}

std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const domain::Snapshot& cluster,
                                       std::uint32_t gpus_per_node) {
    const request::Limits limits = limits_of(job, cluster);
    std::optional<std::uint32_t> most = limits.gpus.most;
    const auto lower = [&](std::uint32_t other) { most = std::min(most.value_or(other), other); };
    if (limits.nodes.most) {
        lower(*limits.nodes.most * gpus_per_node);
    }
    if (job.charge.memory_follows != slurm::MemoryFollows::nodes) {
        lower_by_charge(most, limits.memory, job.charge.memory, job.gpus);
    }
    lower_by_charge(most, limits.billing, job.charge.billing, job.gpus);
    // Where it has a task a GPU.
    if (limits.cpus.most && job.tasks == job.gpus) {
        lower(*limits.cpus.most / std::max(1U, job.cpus_per_task));
    }
    return most;
}

}  // namespace hora::horad
