// What has changed on the cluster since the daemon last looked?
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plugins/slurm/collect/collect.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/observe/plans.hpp"

namespace hora::horad {

// What was seen anew by a look.
struct News {
    bool of_jobs = false;
    bool of_cluster = false;
};

// How soon is the list of jobs to be loaded anew: when it is its turn, soon, as while a job is
// resized or restarted, or at once, since the picture is known to be old?
enum class Haste { none, waits_for_job, picture_is_old };

// The haste of one round after the other.
class Pace {
  public:
    // `is_busy`: a job is resized or restarted. `ended`: resizes since the daemon began.
    Haste of_round(bool is_busy, std::uint64_t ended, bool has_requests);

  private:
    bool was_busy_ = false;
    std::uint64_t ended_ = 0;
};

// Keeps the present picture, and asks slurmctld only for what has changed.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    // `plans` outlives it.
    Watch(slurm::SiteFacts site, Plans& plans,
          std::function<Clock::time_point()> clock = &Clock::now);

    // `now`: seconds since the epoch. `closes_nodes`: nodes are or were a moment ago reserved for a
    // restart (keep_waiting_for_gpus). Without haste the picture stays for 19 times as long as the
    // list of jobs took to load, 30 s at most; where a job is waited for, 3 times. On failure the
    // old picture of the cluster stays, and what was seen is news of the next good look.
    Expected<News> look(std::int64_t now, bool closes_nodes, Haste haste);

    // After a good look.
    const Observation& observation() const { return observation_; }
    const std::vector<std::string>& remarks() const { return remarks_; }
    const slurm::Collector& collector() const { return collector_; }

  private:
    Expected<void> look_at_jobs(bool closes_nodes);
    Expected<void> look_at_cluster(std::int64_t now);

    Plans& plans_;
    std::function<Clock::time_point()> clock_;
    slurm::Collector collector_;
    News news_;  // since the last good look
    bool is_to_be_collected_ = false;
    Observation observation_;
    std::vector<std::string> remarks_;
    std::int64_t jobs_updated_ = 0;
    Clock::time_point jobs_loaded_;
    Clock::duration jobs_took_{0};  // to load; 0: they are to be loaded now
    Clock::time_point next_cluster_;
    bool has_failed_ = false;  // the last look
};

}  // namespace hora::horad
