// What does slurmctld answer? libslurm's messages, owned and typed.
#include "plugins/slurm/messages.hpp"

#include <fmt/format.h>
#include <slurm/slurm_errno.h>

#include <cerrno>
#include <charconv>

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {
namespace {

Error refusal(std::string_view what) {
    const int reason = errno;
    return {
        fmt::format("cannot load {} from slurmctld: {}; is it up ('scontrol ping'), and is "
                    "SLURM_CONF right?",
                    what, slurm_strerror(reason))};
}

template <class Owner, class Load>
Expected<Owner> load(std::string_view what, Load call) {
    typename Owner::pointer message = nullptr;
    if (call(&message) != SLURM_SUCCESS || message == nullptr) {
        return unexpected(refusal(what));
    }
    return Owner(message);
}

}  // namespace

Expected<Configuration> load_configuration() {
    return load<Configuration>("the configuration",
                               [](auto** message) { return slurm_load_ctl_conf(0, message); });
}

Expected<NodeList> load_nodes() {
    // Without SHOW_MIXED a partly used node reads as allocated.
    return load<NodeList>("the nodes", [](auto** message) {
        return slurm_load_node(0, message, SHOW_ALL | SHOW_DETAIL | SHOW_MIXED);
    });
}

Expected<PartitionList> load_partitions() {
    return load<PartitionList>("the partitions", [](auto** message) {
        return slurm_load_partitions(0, message, SHOW_ALL);
    });
}

Expected<ReservationList> load_reservations() {
    return load<ReservationList>(
        "the reservations", [](auto** message) { return slurm_load_reservations(0, message); });
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
