// Which nodes does Slurm keep for the jobs that Hora restarts?
#include "plugins/slurm/jobs/restart_reservation.hpp"

#include <cerrno>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/jobs/restart_name.hpp"
#include "plugins/slurm/system_user.hpp"

namespace hora::slurm {
namespace {

constexpr std::uint64_t flags =
    RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_FLEX | RESERVE_FLAG_NO_HOLD_JOBS;

// slurmctld takes a number where its own host knows no name.
std::string names_of(const std::vector<std::uint32_t>& users) {
    std::string names;
    for (const std::uint32_t user : users) {
        const auto known = find_user(user);
        names += (names.empty() ? "" : ",") + (known ? known->name : std::to_string(user));
    }
    return names;
}

// It can be done once no job uses it any more.
Answered answer_while_used(int error) {
    return error == ESLURM_RESERVATION_BUSY ? Answered{Reply::unreachable, "a job is in it"}
                                            : answer_of(error);
}

// It begins at once. The name that comes back is left: it is malloc's in 22.05 and Slurm's own
// allocator's in 26.05, no header tells since when, and free() of the latter ends the process. It
// is a dozen bytes a call.
Answered create(resv_desc_msg_t& message) {
    const char* const name = slurm_create_reservation(&message);
    return answer_of(name != nullptr ? SLURM_SUCCESS : errno);
}

}  // namespace

Answered reserve_for_restarts(const ReservedNodes& reserved) {
    std::string name(restart_reservation);
    std::string nodes = reserved.nodes;
    std::string users = names_of(reserved.users);
    resv_desc_msg_t message;
    slurm_init_resv_desc_msg(&message);
    message.name = name.data();
    message.node_list = nodes.data();
    message.users = users.data();
    message.end_time = reserved.until;
    message.flags = flags;
    if (slurm_update_reservation(&message) == SLURM_SUCCESS) {
        return {};
    }
    return errno == ESLURM_RESERVATION_INVALID ? create(message) : answer_while_used(errno);
}

Answered end_restart_reservation() {
    std::string name(restart_reservation);
    reservation_name_msg_t message{};
    message.name = name.data();
    if (slurm_delete_reservation(&message) == SLURM_SUCCESS ||
        errno == ESLURM_RESERVATION_INVALID) {
        return {};
    }
    return answer_while_used(errno);
}

}  // namespace hora::slurm
