// Which jobs are to grow and shrink, and who does it?
//
// settings: mode partition.NAME.mode elastic.* history.path placement.wait plan.max_gpus
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libplanner/domain/status.hpp"
#include "libplanner/elastic/idle_window.hpp"
#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "scripts/horad/elastic/failed_resizes.hpp"
#include "scripts/horad/elastic/found_limits.hpp"
#include "scripts/horad/elastic/pools.hpp"
#include "scripts/horad/history/history_writer.hpp"
#include "scripts/horad/history/past_runs.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/journal/pending_journal.hpp"
#include "scripts/horad/journal/resize_journal.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/plans.hpp"
#include "scripts/horad/progress/report_filter.hpp"
#include "scripts/horad/progress/resize_requests.hpp"
#include "scripts/horad/progress/seen_speeds.hpp"
#include "scripts/horad/recovery/forgotten_requeues.hpp"
#include "scripts/horad/recovery/forgotten_starts.hpp"
#include "scripts/horad/recovery/priority_sweep.hpp"
#include "scripts/horad/resize/act_slurm.hpp"
#include "scripts/horad/resize/actor.hpp"

namespace hora::horad {

class Elasticity {
  public:
    // `journal` and `plans` outlive it.
    Elasticity(JournalFile& journal, const read::Settings& settings, Plans& plans, Log& log);

    void take(const read::Settings& settings);
    // Keeps what was measured; before reports of jobs that have ended are forgotten.
    // `living_plans`: the keys of those that are not to be forgotten.
    void write_down(const Observation& seen, const Reports& reports,
                    const HistoryWriter::LivingPlans& living_plans);
    // Looks at the jobs; decides where something has changed, and some time after the last time.
    void step(const Observation& seen, const Reports& reports, bool is_news);
    // Goes on with the resizes that are under way.
    void act(const Observation& seen, const Reports& reports);

    // Of the history.
    void set_rights(scripts::FileRights rights) { history_.set_rights(rights); }

    // What administrators ask for manually is judged by a look that came after: a job that was
    // submitted just before the request is in it.
    void collect_requests();
    bool has_requests() const { return !heard_.empty(); }
    // Begins what was heard; whether there was any.
    bool begin_requested(const Observation& seen);
    ResizeRequests& requests() { return requests_; }

    bool is_busy() const { return actor_.is_busy(); }
    // Are nodes closed to other jobs for a restart, or were they a moment ago?
    bool closes_nodes() const { return actor_.closes_nodes(moment().steady); }

    // For the status file.
    struct Seen {
        std::vector<elastic::Pool> pools;
        std::map<std::uint32_t, std::shared_ptr<const elastic::SpeedCurve>> curves;  // by job
    };
    const Seen& seen() const { return seen_; }
    const std::map<std::uint32_t, domain::StatusDecision>& decisions() const { return decisions_; }
    const std::vector<domain::StatusNext>& next() const { return next_; }
    // By job: what its time limit keeps it from.
    const std::map<std::uint32_t, domain::StatusHold>& held() const { return held_; }
    // By job: why nothing is done to it.
    const std::map<std::uint32_t, std::string>& stays() const { return stays_; }
    const PastRuns& past_runs() const { return past_runs_; }
    const HistoryWriter& history_writer() const { return history_; }
    // Null while it cannot be opened.
    history::Database* history() { return history_.database(); }
    const history::Digest& digest(std::int64_t now) { return history_.digest(now); }
    std::map<std::uint32_t, std::vector<TimedSteps>> timed_before(const Observation& seen) {
        return history_.timed_before(seen);
    }
    std::vector<ResizeEntry> under_way() const { return actor_.under_way(); }
    std::set<std::uint32_t> resized_jobs() const;
    // Says, below the folder of its journal, from which jobs owners are kept.
    SlurmEdge& slurm() { return slurm_; }
    OwnRestarts& restarts() { return restarts_; }
    PendingChanges& pending() { return pending_; }
    const PendingChanges& pending() const { return pending_; }

  private:
    using Clock = std::chrono::steady_clock;

    void forget_gone(const Observation& seen);
    void see_idle(std::int64_t now, Seconds cooldown);
    void decide(const Observation& seen, const Reports& reports);
    void decide_on(const elastic::Pool& pool, const Observation& seen);
    void choose_first_batches(const elastic::Pool& pool, const Observation& seen);
    void carry_out(const elastic::Change& change, const Observation& seen);
    Expected<void> begin(Resize resize, const Observation& seen);
    // The GPUs that it is to have; empty: refused.
    std::optional<std::uint32_t> request(const elastic::Change& change, const ObservedJob& job,
                                         const Observation& seen);
    Moment moment() const;
    std::unique_ptr<Shaper> shaper(const Observation& seen) const;

    Log& log_;
    Plans& plans_;
    read::Settings settings_;
    std::unique_ptr<const elastic::Policy> policy_;
    LiveSlurm slurm_;
    ResizeJournal journal_;
    PendingJournal of_pending_;
    HistoryWriter history_;
    PendingChanges pending_;
    PastRuns past_runs_;
    ResizeRequests requests_;
    std::vector<ResizeRequest> heard_;
    Actor actor_;
    PrioritySweep sweep_;
    OwnRestarts restarts_;
    ForgottenStarts forgotten_;
    ForgottenRequeues forgotten_requeues_;
    bool has_recovered_ = false;
    bool is_due_ = true;
    Clock::time_point decided_;
    std::uint64_t reports_heard_ = 0;
    Seen seen_;
    std::map<std::uint32_t, domain::StatusDecision> decisions_;
    std::map<std::uint32_t, std::string> refused_;  // by job: the last refusal that was logged
    std::map<std::uint32_t, std::int64_t> rests_;   // by job: not before, seconds since the epoch
    std::map<std::uint32_t, std::int64_t> keep_sizes_;  // likewise: no more GPUs before
    std::map<std::uint32_t, std::int64_t> keep_nodes_;  // likewise: not moved to fewer nodes before
    std::map<std::string, elastic::IdleWindow> idle_;   // by pool
    FailedResizes failures_;
    FoundLimits limits_;
    SeenSpeeds speeds_;
    NoiseScales noise_scales_;
    std::vector<domain::StatusNext> next_;
    std::map<std::uint32_t, domain::StatusHold> held_;
    std::map<std::uint32_t, std::string> stays_;
};

}  // namespace hora::horad
