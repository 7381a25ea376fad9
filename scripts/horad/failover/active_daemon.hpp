// What does the daemon do while its host's slurmctld acts?
//
// settings: horad.interval horad.listen horad.port horad.metrics history.path snapshot.path
// snapshot.max_age
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scripts/hora/site/state_files.hpp"
#include "scripts/horad/elastic/elasticity.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/plans.hpp"
#include "scripts/horad/observe/site.hpp"
#include "scripts/horad/observe/snapshot_writer.hpp"
#include "scripts/horad/observe/watch.hpp"
#include "scripts/horad/pending/relaxer.hpp"
#include "scripts/horad/pending/replanner.hpp"
#include "scripts/horad/progress/report_filter.hpp"
#include "scripts/horad/progress/report_server.hpp"
#include "scripts/horad/resize/restarter.hpp"

namespace hora::horad {

// All that is known of jobs. It begins with what is on disk and is thrown away when another host
// takes over, whose daemon then writes there.
class ActiveDaemon {
  public:
    // `folder`: of the daemon's own files; stays as it is. `started`: when the daemon was, seconds
    // since the epoch.
    ActiveDaemon(std::string folder, std::int64_t started, Site site, Log& log);
    ActiveDaemon(const ActiveDaemon&) = delete;
    ActiveDaemon& operator=(const ActiveDaemon&) = delete;

    void take(Site site);
    // One round; false where it could not be done, and the log says why.
    bool round();

    bool is_busy() const { return elasticity_.is_busy() || restarter_.is_busy(); }
    // Readable when a report came in; drained by take_news(). -1: none is taken.
    int news() const { return server_ ? server_->news() : -1; }
    void take_news() const { server_->take_news(); }

  private:
    using Clock = std::chrono::steady_clock;

    Haste haste();
    void remember();
    // Sees to the place where slurmctld leaves plans, and takes those that wait there.
    bool keep_plans();
    void keep_locks(uid_t slurm_user);
    // The daemon's files and what each is.
    std::vector<std::pair<scripts::StateFile, std::string>> files() const;
    // Files that are there are readable for those whom the site lets see jobs, and no others.
    void keep_rights(const scripts::Privacy& privacy);
    void remove_temporaries();
    std::vector<std::string> living_plans() const;
    void keep_snapshot(const News& news);
    // What is odd about the cluster.
    void report_remarks();
    void keep_server();
    void tell();
    void restart(const Observation& seen);

    Log& log_;
    const std::string folder_;
    JournalFile journal_;
    const std::int64_t started_;
    Site site_;
    const slurm::PlanSpool spool_;
    Plans plans_;
    Clock::time_point next_spool_;  // is looked at
    std::optional<scripts::Privacy> privacy_;
    Clock::time_point next_tidy_;
    std::unique_ptr<Watch> watch_;
    std::unique_ptr<SnapshotWriter> snapshot_;
    Relaxer relaxer_;
    Elasticity elasticity_;
    Replanner replanner_;
    Restarter restarter_;
    ReportFilter filter_;
    std::unique_ptr<ReportServer> server_;
    Clock::time_point next_listen_;
    Clock::time_point told_;
    Clock::duration round_{};  // that the last one took
    bool has_remembered_ = false;
    Pace pace_;
};

}  // namespace hora::horad
