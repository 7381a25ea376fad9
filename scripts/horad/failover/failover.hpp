// Does this host's slurmctld act at this moment?
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "scripts/horad/failover/controller_role.hpp"
#include "scripts/horad/log/log.hpp"

namespace hora::horad {

class Failover {
  public:
    explicit Failover(Log& log) : log_(log) {}

    // Empty: none answers. The log says so, and each change. For the one thread that uses libslurm.
    std::optional<Role> look();

  private:
    using Clock = std::chrono::steady_clock;

    bool load_controllers();
    // While nobody knows how many there are. `ping`: how long the first one was waited for.
    bool does_any_act(Clock::duration ping);
    // One that takes over after a time answers before that too. Asks once a look.
    bool has_taken_over(std::size_t acting);

    Log& log_;
    std::vector<slurm::Controller> controllers_;
    std::optional<std::size_t> own_place_;
    Clock::time_point place_found_;
    std::chrono::seconds connect_time_{2};  // TCPTimeout of slurm.conf
    std::chrono::seconds patience_{1};      // that does_any_act() had
    bool acts_ = false;                     // so it was at the last look
    std::map<std::size_t, bool> answers_;   // at this look: has it taken over?
};

}  // namespace hora::horad
