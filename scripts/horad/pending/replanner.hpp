// Which jobs wait by a plan that has become a bad one, and when is that looked at?
//
// settings: replan.pause replan.gain mode partition.NAME.mode placement.wait plan.* cost.*
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/history/digest.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/observe/plans.hpp"
#include "scripts/horad/pending/pending_changes.hpp"
#include "scripts/horad/pending/replan.hpp"

namespace hora::horad {

// Has this job waited, for GPUs or nodes and nothing else, for as long as a plan holds? One that
// was planned later than `now`, by a clock that was set back meanwhile, has.
bool may_be_planned_anew(const ObservedJob& job, std::int64_t now, Seconds pause);

class Replanner {
  public:
    // Everything must outlive it.
    Replanner(PendingChanges& changes, Plans& plans) : changes_(changes), plans_(plans) {}

    // `under_way`: resizes; their jobs are left alone.
    void step(const Observation& seen, const history::Digest& digest,
              const std::vector<ResizeEntry>& under_way, const read::Settings& settings, Log& log);

    std::uint64_t replanned() const { return replanned_; }  // so far

  private:
    using Clock = std::chrono::steady_clock;
    struct Worse {
        Clock::time_point since;
        Clock::time_point lasts;  // when that will have been for long enough
    };

    // PendingChanges gives them their old plans back.
    void let_impossible_rest(const Observation& seen, Clock::duration rest, const Log& log);
    // Known to have had a worse plan for so long that it gets another one.
    bool has_worse_for_long(std::uint32_t job) const;
    void leave_for(std::uint32_t job, Clock::duration time);
    // Each thing once a job.
    void say(std::uint32_t job, const std::string& what, const Log& log);
    std::vector<const ObservedJob*> due(const Observation& seen,
                                        const std::vector<ResizeEntry>& under_way,
                                        const read::Settings& settings);
    // Until one gets a new plan, or they have taken long; when the next ones are due.
    Clock::time_point look_at_each(const std::vector<const ObservedJob*>& jobs,
                                   const ReplanScene& scene, Clock::time_point begin, Log& log);
    void look_at(const ObservedJob& job, const ReplanScene& scene, Log& log);
    slurm::Answered change(const slurm::Job& job, const NewPlan& plan, std::int64_t now) const;
    void carry_out(const slurm::Job& job, const NewPlan& plan, const ReplanScene& scene, Log& log);

    PendingChanges& changes_;
    Plans& plans_;
    Clock::time_point next_;
    std::uint32_t last_ = 0;                            // job that was looked at in turn
    std::map<std::uint32_t, Worse> worse_;              // by job: it has a worse plan
    std::map<std::uint32_t, std::string> told_;         // by job: what was said of it last
    std::map<std::uint32_t, Clock::time_point> rests_;  // by job: not before
    std::uint64_t replanned_ = 0;
};

}  // namespace hora::horad
