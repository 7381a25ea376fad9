// What does slurmctld answer? libslurm's messages, owned and typed.
#pragma once

#include <slurm/slurmdb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/fields.hpp"

namespace hora::slurm {

// Frees a message by libslurm's own function.
template <auto release>
struct Release {
    template <class Message>
    void operator()(Message* message) const {
        release(message);
    }
};

using Configuration = std::unique_ptr<slurm_conf_t, Release<free_configuration<slurm_conf_t>>>;
using NodeList = std::unique_ptr<node_info_msg_t, Release<slurm_free_node_info_msg>>;
using PartitionList = std::unique_ptr<partition_info_msg_t, Release<slurm_free_partition_info_msg>>;
using ReservationList =
    std::unique_ptr<reserve_info_msg_t, Release<slurm_free_reservation_info_msg>>;
using JobRecords = std::unique_ptr<job_info_msg_t, Release<slurm_free_job_info_msg>>;
using LimitList = std::unique_ptr<assoc_mgr_info_msg_t, Release<slurm_free_assoc_mgr_info_msg>>;

// Why slurmctld did not answer for `what`, by errno, which stays.
Error refusal(std::string_view what);

// Each asks slurmctld; the message of a failure says what was asked for. With the last_update of an
// earlier answer as `since`, the answer is null where nothing has changed; 0 always gets one.
Expected<Configuration> load_configuration(std::int64_t since = 0);
Expected<NodeList> load_nodes(std::int64_t since = 0);
Expected<PartitionList> load_partitions(std::int64_t since = 0);
Expected<ReservationList> load_reservations(std::int64_t since = 0);
// One job, or all tasks of an array; null where slurmctld has no such job (any more).
Expected<JobRecords> load_job_records(std::uint32_t job);
// The record of exactly this job; null where there is none, or no answer.
const slurm_job_info_t* find_record(const JobRecords& jobs, std::uint32_t job);
// Empty without accounting.
Expected<LimitList> load_limits();

// CPUs of a node that jobs hold.
std::uint32_t allocated_cpus(node_info_t& node);

// Calls for each element of one of libslurm's lists, which may be null.
template <class Element, class Visit>
void for_each(ListPointer list, Visit visit) {
    if (list == nullptr) {
        return;
    }
    const ListPlace iterator = slurm_list_iterator_create(list);
    while (auto* element = static_cast<Element*>(slurm_list_next(iterator))) {
        visit(*element);
    }
    slurm_list_iterator_destroy(iterator);
}

}  // namespace hora::slurm
