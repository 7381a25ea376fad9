// Has slurmctld run for long enough to know of its nodes' GPUs, and is it the same one as before?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"
#include "plugins/slurm/controller_start.hpp"

namespace hora::horad {

// By its own clock, which may be set; so a start that came while we looked on is timed by the
// steady clock, too.
class ControllerAge {
  public:
    // `started` and `clock`: slurmctld's own, seconds since the epoch, 0: it does not say. `now`:
    // steady.
    void see(std::int64_t started, Seconds now);
    bool has_settled(std::int64_t started, std::int64_t clock, Seconds now);

  private:
    std::int64_t started_ = 0;     // 0: not looked at yet
    std::optional<Seconds> seen_;  // when another start was seen
};

// Since when the slurmctld that acts has done so, the same for each answer of one process. Slurm
// shows no take-over: a slurmctld that stood by counts from horad's own start, which follows.
class ActingSince {
  public:
    // `born`: when horad began to act, seconds since the epoch.
    explicit ActingSince(std::int64_t born) : born_(born) {}

    // 0: unknown. A ping that is lost once does not make the first controller one that stood by.
    std::int64_t see(const slurm::ControllerStart& answer);

  private:
    const std::int64_t born_;
    std::int64_t started_ = 0;  // of the process that answered last
    int lost_pings_ = 0;        // of that one, until it is known
    std::optional<bool> has_stood_by_;
};

// Two starts of slurmctld, by its clock; 0: it did not say, which is no sign of another one.
bool is_another_start(std::int64_t one, std::int64_t other);

}  // namespace hora::horad
