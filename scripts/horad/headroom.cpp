// Which limits bind a job that is to have another size, by its QOS, association and partition?
#include "scripts/horad/headroom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "libplanner/base/counted.hpp"

namespace hora::horad {
namespace {

submit::Limits limits_in(const std::string& partition, submit::Owner owner, std::uint32_t uid,
                         const domain::Caps& own, const domain::Snapshot& cluster) {
    for (const domain::User& user : cluster.users) {
        owner.user = user.uid == uid ? user.name : owner.user;
    }
    for (const domain::Partition& one : cluster.partitions) {
        if (one.name == first_partition(partition)) {
            submit::Limits limits = submit::limits_of(owner, one, cluster, own);
            const auto most = one.max_cpus_per_node;
            if (most && (!limits.cpus_of_node.most || *most < *limits.cpus_of_node.most)) {
                limits.cpus_of_node = {most, fmt::format("partition \"{}\"", one.name)};
            }
            return limits;
        }
    }
    return {};
}

}  // namespace

std::string first_partition(const std::string& partitions) {
    return partitions.substr(0, partitions.find(','));
}

submit::Limits limits_of(const slurm::JobView& job, const domain::Snapshot& cluster) {
    const bool holds = job.stage != slurm::JobStage::pending;
    const domain::Caps own = holds ? domain::Caps{.gpus = job.held_gpus(),
                                                  .nodes = job.shape.nodes,
                                                  .cpus = job.shape.cpus}
                                   : domain::Caps{};
    return limits_in(job.partition, {.user = {}, .account = job.account, .qos = job.qos}, job.uid,
                     own, cluster);
}

submit::Limits limits_of(const ObservedJob& job, const domain::Snapshot& cluster) {
    const bool holds =
        job.state == slurm::JobState::running || job.state == slurm::JobState::suspended;
    const domain::Caps own =
        holds ? domain::Caps{.gpus = job.gpus, .nodes = job.nodes, .cpus = job.cpus}
              : domain::Caps{};
    return limits_in(job.partition, {.user = {}, .account = job.account, .qos = job.qos}, job.uid,
                     own, cluster);
}

std::string why_over(const submit::Limits& limits, const Claim& claim) {
    struct Part {
        const submit::Limit& limit;
        std::uint32_t wanted;
        std::string_view what;
        std::string_view of_what;
    };
    const Part parts[] = {
        {limits.gpus, claim.nodes * claim.gpus_per_node, "GPU", ""},
        {limits.nodes, claim.nodes, "node", ""},
        {limits.cpus, claim.nodes * claim.cpus_per_node, "CPU", ""},
        {limits.gpus_of_node, claim.gpus_per_node, "GPU", " of a node"},
        {limits.cpus_of_node, claim.cpus_per_node, "CPU", " of a node"},
    };
    for (const Part& part : parts) {
        if (part.limit.most && part.wanted > *part.limit.most) {
            return fmt::format("{} leaves it {}{}", part.limit.set_by,
                               counted(*part.limit.most, part.what), part.of_what);
        }
    }
    return {};
}

std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const domain::Snapshot& cluster,
                                       std::uint32_t gpus_per_node) {
    const submit::Limits limits = limits_of(job, cluster);
    std::optional<std::uint32_t> most = limits.gpus.most;
    const auto lower = [&](std::uint32_t other) { most = std::min(most.value_or(other), other); };
    if (limits.nodes.most) {
        lower(*limits.nodes.most * gpus_per_node);
    }
    // Where it has a task a GPU.
    if (limits.cpus.most && job.tasks == job.gpus) {
        lower(*limits.cpus.most / std::max(1U, job.cpus_per_task));
    }
    return most;
}

}  // namespace hora::horad
