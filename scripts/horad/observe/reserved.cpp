// When does a reservation take nodes that a job could have?
#include "scripts/horad/observe/reserved.hpp"

#include <vector>

#include "scripts/horad/observe/job_request.hpp"

namespace hora::horad {
namespace {

// Both ascending. O(both), and as a rule at once: it is asked for each job.
bool share_nodes(const std::vector<std::uint32_t>& some, const std::vector<std::uint32_t>& others) {
    auto one = some.begin();
    auto other = others.begin();
    while (one != some.end() && other != others.end() && *one != *other) {
        ++(*one < *other ? one : other);
    }
    return one != some.end() && other != others.end();
}

}  // namespace

std::optional<Seconds> next_reservation(const slurm::Job& job, const domain::Snapshot& cluster,
                                        std::int64_t now) {
    const domain::Partition* const partition = partition_of(job, cluster);
    if (partition == nullptr) {
        return std::nullopt;
    }
    std::optional<std::int64_t> first;
    for (const domain::Reservation& one : cluster.reservations) {
        if (one.starts > now && one.name != job.reservation && (!first || one.starts < *first) &&
            share_nodes(one.nodes, partition->nodes)) {
            first = one.starts;
        }
    }
    return first ? std::optional(Seconds(static_cast<double>(*first - now))) : std::nullopt;
}

bool is_reserved(const slurm::Job& job, const domain::Snapshot& cluster, std::int64_t now) {
    const auto begins = next_reservation(job, cluster, now);
    return begins && (!job.time_limit || *begins < *job.time_limit);
}

}  // namespace hora::horad
