// What does slurmctld answer? libslurm's messages, owned and typed.
#pragma once

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include <memory>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// Frees a message by libslurm's own function.
template <auto release>
struct Release {
    template <class Message>
    void operator()(Message* message) const {
        release(message);
    }
};

using Configuration = std::unique_ptr<slurm_conf_t, Release<slurm_free_ctl_conf>>;
using NodeList = std::unique_ptr<node_info_msg_t, Release<slurm_free_node_info_msg>>;
using PartitionList = std::unique_ptr<partition_info_msg_t, Release<slurm_free_partition_info_msg>>;
using ReservationList =
    std::unique_ptr<reserve_info_msg_t, Release<slurm_free_reservation_info_msg>>;
using LimitList = std::unique_ptr<assoc_mgr_info_msg_t, Release<slurm_free_assoc_mgr_info_msg>>;

// Each asks slurmctld; the message of a failure says what was asked for.
Expected<Configuration> load_configuration();
Expected<NodeList> load_nodes();
Expected<PartitionList> load_partitions();
Expected<ReservationList> load_reservations();
// Empty without accounting.
Expected<LimitList> load_limits();

// CPUs of a node that jobs hold.
std::uint32_t allocated_cpus(node_info_t& node);

// libslurm's null strings are empty here.
inline std::string_view text_of(const char* text) {
    return text != nullptr ? std::string_view(text) : std::string_view();
}

// Calls for each element of one of libslurm's lists, which may be null.
template <class Element, class Visit>
void for_each(List list, Visit visit) {
    if (list == nullptr) {
        return;
    }
    const ListIterator iterator = slurm_list_iterator_create(list);
    while (auto* element = static_cast<Element*>(slurm_list_next(iterator))) {
        visit(*element);
    }
    slurm_list_iterator_destroy(iterator);
}

}  // namespace hora::slurm
