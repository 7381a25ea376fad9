// What does slurmctld answer? libslurm's messages, owned and typed.
#include "plugins/slurm/messages.hpp"

#include <fmt/format.h>
#include <slurm/slurm_errno.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <span>

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {
Error refusal(std::string_view what) {
    const int reason = errno;
    Error error{
        fmt::format("cannot load {} from slurmctld: {}; is it up ('scontrol ping'), and is "
                    "SLURM_CONF right?",
                    what, slurm_strerror(reason))};
    errno = reason;
    return error;
}

namespace {

template <class Owner, class Load>
Expected<Owner> load(std::string_view what, Load call) {
    typename Owner::pointer message = nullptr;
    errno = 0;
    if (call(&message) != SLURM_SUCCESS || message == nullptr) {
        return errno == SLURM_NO_CHANGE_IN_DATA ? Expected<Owner>(Owner())
                                                : unexpected(refusal(what));
    }
    return Owner(message);
}

}  // namespace

Expected<Configuration> load_configuration(std::int64_t since) {
    return load<Configuration>("the configuration", [since](auto** message) {
        return slurm_load_ctl_conf(since, message);
    });
}

Expected<NodeList> load_nodes(std::int64_t since) {
    // Without SHOW_MIXED a partly used node reads as allocated.
    return load<NodeList>("the nodes", [since](auto** message) {
        return slurm_load_node(since, message, SHOW_ALL | SHOW_DETAIL | SHOW_MIXED);
    });
}

Expected<PartitionList> load_partitions(std::int64_t since) {
    return load<PartitionList>("the partitions", [since](auto** message) {
        return slurm_load_partitions(since, message, SHOW_ALL);
    });
}

Expected<ReservationList> load_reservations(std::int64_t since) {
    return load<ReservationList>("the reservations", [since](auto** message) {
        return slurm_load_reservations(since, message);
    });
}

Expected<JobRecords> load_job_records(std::uint32_t job) {
    job_info_msg_t* message = nullptr;
    if (load_job(&message, job, SHOW_ALL | SHOW_DETAIL) == SLURM_SUCCESS) {
        return JobRecords(message);
    }
    if (errno == ESLURM_INVALID_JOB_ID) {
        return JobRecords();
    }
    return failure(
        fmt::format("cannot load job {} from slurmctld: {}", job, slurm_strerror(errno)));
}

const slurm_job_info_t* find_record(const JobRecords& jobs, std::uint32_t job) {
    const auto all =
        jobs ? std::span(jobs->job_array, jobs->record_count) : std::span<slurm_job_info_t>();
    const auto found = std::find_if(all.begin(), all.end(), [&](const slurm_job_info_t& record) {
        return job_id(record) == job;
    });
    return found == all.end() ? nullptr : &*found;
}

Expected<LimitList> load_limits() {
    assoc_mgr_info_request_msg_t request{};
    request.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_USERS | ASSOC_MGR_INFO_FLAG_QOS;
    return load<LimitList>("QOS and associations", [&](auto** message) {
        return slurm_load_assoc_mgr_info(&request, message);
    });
}

std::uint32_t allocated_cpus(node_info_t& node) {
    // The field behind it has moved between releases; the printed form has not.
    char* printed = slurm_sprint_node_table(&node, 1);
    const std::string text(text_of(printed));
    void* place = printed;
    slurm_xfree(&place);
    constexpr std::string_view key = "CPUAlloc=";
    std::uint32_t count = 0;
    if (const std::size_t found = text.find(key); found != std::string::npos) {
        std::from_chars(text.data() + found + key.size(), text.data() + text.size(), count);
    }
    return count;
}

}  // namespace hora::slurm
