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
    // `own`: claimed in the folder of `site`. `patience`: for how long it waits for the daemon of
    // the host that acted before.
    Daemon(Site site, Instance own, Log& log,
           std::chrono::milliseconds patience = std::chrono::seconds(10));

    // One round; false where it could not be done, and the log says why.
    bool run_once();
    // Rounds until SIGTERM or SIGINT; false where it ends since another daemon runs on this host,
    // which can only be where this one has begun on a disk that took no lock.
    bool run(Signals& signals);

  private:
    using Clock = std::chrono::steady_clock;

    void reload();
    void warn_of_settings();
    // What keeps it from its lock, or from writing to it.
    void say(const Instance& instance, const std::string& topic);
    // False: to end.
    bool handle(Signals& signals);
    void wait(const Signals& signals, Clock::time_point until);
    // Also where its own lock cannot be had yet.
    bool is_only_one();
    bool round();
    // Once the daemon of the host that acted before has stopped.
    bool take_over();
    void claim_turn();
    void stand_by();
    Clock::time_point next_round(Clock::time_point begin) const;

    Log& log_;
    const std::string folder_;    // of its own files; stays as it was when it started
    const std::int64_t started_;  // seconds since the epoch
    Site site_;
    Failover role_;
    Instance own_;
    const std::chrono::milliseconds patience_;
    std::optional<Instance> acting_;
    std::unique_ptr<ActiveDaemon> active_;          // while it acts
    std::optional<Clock::time_point> waits_since_;  // for another host's daemon
    Clock::time_point told_;                        // that it stands by
    bool was_heard_ = false;                        // a report came in since the last round
};

}  // namespace hora::horad
