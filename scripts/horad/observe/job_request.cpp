// Where may a job in the queue be given GPUs, and within which limits? By the rules of a submission
// (libplanner/request/scope), of what slurmctld says of the job.
#include "scripts/horad/observe/job_request.hpp"

#include <limits>
#include <string_view>

#include "libplanner/read/words.hpp"
#include "libplanner/request/scope/partition.hpp"

namespace hora::horad {
namespace {

domain::Caps held(const slurm::Job& job) {
    return {.gpus = job.gpus,
            .nodes = job.shape.nodes,
            .cpus = job.shape.cpus,
            .memory = static_cast<std::uint32_t>(job.charge.memory),
            .billing = static_cast<std::uint32_t>(job.charge.billing)};
}

std::vector<std::string> partitions_of(const slurm::Job& job) {
    const auto names = read::split_words(job.partition);
    return {names.begin(), names.end()};
}

}  // namespace

const domain::Partition* partition_of(const slurm::Job& job, const domain::Snapshot& cluster) {
    const std::vector<std::string> names = partitions_of(job);
    if (const std::string up = request::partition_of(names, cluster); !up.empty()) {
        return request::find_partition(up, cluster);
    }
    for (const std::string& name : names) {
        if (const domain::Partition* const closed = request::find_partition(name, cluster)) {
            return closed;
        }
    }
    return nullptr;
}

read::OperatingMode mode_of(const slurm::Job& job, const domain::Snapshot& cluster,
                            const read::Settings& settings) {
    const domain::Partition* const partition = partition_of(job, cluster);
    return settings.mode_of(partition != nullptr ? partition->name : job.partition);
}

request::Submission place_of(const slurm::Job& job) {
    request::Submission place;
    place.uid = job.uid;
    place.partitions = partitions_of(job);
    place.account = job.account;
    place.qos = job.qos;
    place.reservation = job.reservation;
    place.features = job.features;
    place.prefer = job.prefer;
    place.required_nodes = job.required_nodes;
    place.excluded_nodes = job.excluded_nodes;
    place.memory_per_node = job.memory_per_node;
    place.memory_per_cpu = job.memory_per_cpu;
    place.memory_per_gpu = job.memory_per_gpu;
    place.time_limit = job.time_limit;
    place.is_exclusive = job.is_exclusive;
    return place;
}

request::Limits limits_of(const slurm::Job& job, const domain::Snapshot& cluster) {
    const domain::Partition* const partition = partition_of(job, cluster);
    if (partition == nullptr) {
        return {};
    }
    return request::limits_of(request::owner_of(place_of(job), *partition, cluster), *partition,
                              cluster, job.holds_nodes() ? held(job) : domain::Caps());
}

request::Window window_of(const slurm::Job& job, const domain::Snapshot& cluster,
                          std::int64_t now) {
    constexpr Seconds for_ever(std::numeric_limits<double>::infinity());
    return {.now = now,
            .lasts = job.time_limit ? *job.time_limit
                                    : limits_of(job, cluster).max_time.value_or(for_ever)};
}

Expected<request::Scope> scope_of(const slurm::Job& job, const domain::Snapshot& cluster,
                                  request::Window window) {
    const domain::Partition* const partition = partition_of(job, cluster);
    if (partition == nullptr) {
        return failure("the snapshot knows no partition of this job");
    }
    return request::scope_of(place_of(job), *partition, cluster, window);
}

}  // namespace hora::horad
