// What would another size of a job take of its limits, and which sizes do these leave it?
#include "scripts/horad/observe/headroom.hpp"

#include <algorithm>
#include <cmath>

#include "scripts/horad/observe/job_request.hpp"

namespace hora::horad {
namespace {

std::uint64_t scaled(std::uint64_t amount, double factor) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(amount) * factor));
}

void lower(std::optional<std::uint32_t>& most, std::uint64_t other) {
    const auto gpus =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(other, domain::unlimited_gpus));
    most = std::min(most.value_or(gpus), gpus);
}

// Of a limit that grows in proportion to GPUs, at most so many.
void lower_by_charge(std::optional<std::uint32_t>& most, const request::Limit& limit,
                     std::uint64_t charge, std::uint32_t gpus) {
    if (limit.most && charge > 0) {
        lower(most, std::uint64_t{*limit.most} * gpus / charge);
    }
}

}  // namespace

request::Claim with_charge(request::Claim claim, const slurm::Job& job) {
    const auto ratio = [](std::uint32_t size, std::uint32_t before) {
        return static_cast<double>(size) / std::max(1U, before);
    };
    const double by_nodes = ratio(claim.nodes, job.shape.nodes);
    const double by_cpus = ratio(claim.nodes * claim.cpus_per_node, job.shape.cpus);
    const double most =
        std::max({by_nodes, by_cpus, ratio(claim.nodes * claim.gpus_per_node, job.gpus)});
    const double by_memory = job.charge.memory_follows == slurm::MemoryFollows::nodes  ? by_nodes
                             : job.charge.memory_follows == slurm::MemoryFollows::cpus ? by_cpus
                                                                                       : most;
    claim.memory = scaled(job.charge.memory, by_memory);
    claim.billing = scaled(job.charge.billing, most);
    return claim;
}

std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const domain::Snapshot& cluster,
                                       std::uint32_t gpus_per_node) {
    const request::Limits limits = limits_of(job, cluster);
    std::optional<std::uint32_t> most = limits.gpus.most;
    if (limits.nodes.most) {
        lower(most, std::uint64_t{*limits.nodes.most} * gpus_per_node);
    }
    if (job.charge.memory_follows != slurm::MemoryFollows::nodes) {
        lower_by_charge(most, limits.memory, job.charge.memory, job.gpus);
    }
    lower_by_charge(most, limits.billing, job.charge.billing, job.gpus);
    // Where it has a task a GPU.
    if (limits.cpus.most && job.shape.tasks == job.gpus) {
        lower(most, *limits.cpus.most / std::max(1U, job.shape.cpus_per_task));
    }
    return most;
}

}  // namespace hora::horad
