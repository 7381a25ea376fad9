// What does Slurm know of the cluster at this moment?
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/cluster/site_nodes.hpp"
#include "libplanner/read/slurm/gres_conf.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

// What Slurm does not know and the site's settings do.
struct SiteFacts {
    std::vector<domain::Device> devices;
    domain::Link network;
    read::SiteNodes nodes;  // how the site says that they are built inside
};

struct Collected {
    domain::Snapshot snapshot;
    std::vector<std::string> remarks;  // for the administrator: what could not be used, and why
    // When nodes refused to start a job that they took for running, by slurmctld's clock; of nodes
    // that are drained for it still.
    std::vector<std::int64_t> refused_starts;
    bool has_restart_reservation = false;  // restart_name.hpp; it stands in no snapshot
};

// Keeps slurmctld's answers, and asks again for what has changed only.
class Collector {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Collector(SiteFacts site);

    // Asks slurmctld by several calls; slurm_init() has been called. True where anything is new
    // since the last good one. Fails when one of them is not answered, but for the switches: where
    // they stay unknown they are asked for again after a while.
    Expected<bool> refresh(Clock::time_point now);

    // After a good refresh(). `now`: seconds since the epoch. Fails when the answers do not fit
    // together.
    Expected<Collected> collected(std::int64_t now) const;

    const slurm_conf_t& configuration() const { return *configuration_; }

  private:
    Expected<void> ask(Clock::time_point now);
    Expected<void> refresh_limits(Clock::time_point now);
    bool refresh_topology(Clock::time_point now);

    SiteFacts site_;
    bool has_news_ = false;  // since the last good refresh(), as this
    bool has_new_configuration_ = false;
    Configuration configuration_;
    NodeList nodes_;
    PartitionList partitions_;
    ReservationList reservations_;
    LimitList limits_;
    Clock::time_point limits_loaded_;
    std::optional<Clock::time_point> topology_due_;  // when it is asked for next
    std::string topology_;
    std::vector<std::string> topology_remarks_;
    read::GresConf gres_;
    std::vector<std::string> gres_remarks_;
};

// Once, from the start.
Expected<Collected> collect(const SiteFacts& site, std::int64_t now);

}  // namespace hora::slurm
