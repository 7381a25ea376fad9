// When is a round of the daemon's work due, and is it this host's to do?
//
// settings: horad.interval horad.state horad.metrics
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "scripts/horad/failover/active_daemon.hpp"
#include "scripts/horad/failover/failover.hpp"
#include "scripts/horad/failover/instance.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/site.hpp"
#include "scripts/horad/signals.hpp"

namespace hora::horad {

class Daemon {
  public:
    Daemon(Site site, Log& log);

    // One round; false where it could not be done, and the log says why.
    bool run_once();
    // Rounds until SIGTERM or SIGINT.
    void run(Signals& signals);

  private:
    using Clock = std::chrono::steady_clock;

    void reload();
    void warn_of_settings();
    // False: to end.
    bool handle(Signals& signals);
    void wait(const Signals& signals, Clock::time_point until);
    bool round();
    // Once the daemon of the host that acted before has stopped.
    bool take_over();
    void stand_by();
    Clock::time_point next_round(Clock::time_point begin) const;

    Log& log_;
    const std::string folder_;    // of its own files; stays as it was when it started
    const std::int64_t started_;  // seconds since the epoch
    Site site_;
    Failover role_;
    std::optional<Instance> acting_;
    std::unique_ptr<ActiveDaemon> active_;          // while it acts
    std::optional<Clock::time_point> waits_since_;  // for another host's daemon
    Clock::time_point told_;                        // that it stands by
    bool was_heard_ = false;                        // a report came in since the last round
};

}  // namespace hora::horad
