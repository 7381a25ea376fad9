// Does this host's slurmctld act at this moment?
#include "scripts/horad/failover/failover.hpp"

#include <algorithm>
#include <string>

#include "scripts/horad/observe/bounded_call.hpp"

namespace hora::horad {
namespace {

const std::string of_slurm = "slurmctld";
const std::string of_role = "role";

const std::string waits_for_slurm =
    "slurmctld does not answer ('scontrol ping'); horad waits for it";

}  // namespace

std::optional<Role> Failover::look() {
    answers_.clear();
    // Asked first: it fails at once where other calls would wait for a controller that is down.
    const auto begin = Clock::now();
    auto acting = slurm::find_acting(std::max<std::size_t>(controllers_.size(), 1));
    if (!acting) {
        log_.trouble(of_slurm, waits_for_slurm);
        acts_ = false;  // when it is back, it may stand by at first
    }
    if (!acting && (!controllers_.empty() || !does_any_act(Clock::now() - begin))) {
        return std::nullopt;
    }
    constexpr std::chrono::seconds place_holds{30};  // an address may move to another host
    const bool is_old = controllers_.empty() || Clock::now() - place_found_ > place_holds;
    // While none has taken over, what is known has to do: the question would wait for that.
    if (is_old && (!acting || controllers_.empty() || has_taken_over(*acting))) {
        if (!load_controllers()) {
            return std::nullopt;
        }
        acting = slurm::find_acting(controllers_.size());
    }
    if (!acting) {
        return std::nullopt;
    }
    const Standing standing = standing_of(controllers_, own_place_, *acting);
    if (standing.role == Role::acting && !has_taken_over(*acting)) {
        log_.trouble(of_role,
                     "nothing is done here for now: this host's slurmctld has not taken "
                     "over yet");
        return Role::standby;
    }
    acts_ = standing.role == Role::acting;
    if (acts_) {
        log_.fine(of_role, standing.why);
    } else {
        // Only one that acts asks it for more, and says itself when that is answered.
        log_.fine(of_slurm, "slurmctld answers again");
        log_.trouble(of_role, standing.why);
    }
    return standing.role;
}

bool Failover::load_controllers() {
    const auto configuration = slurm::load_configuration();
    if (!configuration) {
        log_.trouble(of_slurm, configuration.error().message);
        return false;
    }
    controllers_ = slurm::controllers_of(**configuration);
    own_place_ = own_place(controllers_);
    connect_time_ = std::chrono::seconds((*configuration)->tcp_timeout);
    place_found_ = Clock::now();
    return true;
}

// Longer each time: one of several hosts that are off may be tried for longer than was thought.
bool Failover::does_any_act(Clock::duration ping) {
    constexpr std::chrono::seconds longest{8};
    patience_ = std::min(2 * patience_, longest);
    const auto patience = patience_ + 2 * ping;
    return succeeds_within(std::chrono::ceil<std::chrono::milliseconds>(patience), slurm::does_act);
}

// libslurm would wait for the take-over for as long as half of SlurmctldTimeout, deaf to signals.
bool Failover::has_taken_over(std::size_t acting) {
    constexpr std::chrono::seconds answer_time{1};
    // Those before it are tried first, and a host that is off does not even refuse.
    const auto patience = answer_time + static_cast<int>(acting) * connect_time_;
    if (acting == 0 || acts_) {
        return true;
    }
    const auto [answer, is_new] = answers_.try_emplace(acting, false);
    answer->second = is_new ? succeeds_within(patience, slurm::does_act) : answer->second;
    return answer->second;
}

}  // namespace hora::horad
