// Can a pending job run as Hora has changed its request, and what if it never can?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/job_complaints.hpp"
#include "scripts/horad/journal/pending_change.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// slurmctld takes any request, and finds out at the job's turn, maybe hours later, that nothing can
// ever give it: then it stops the job for good. So what a job asked for before a resize or a new
// plan is kept until it has started. A job that was relaxed asks for less than before, and needs no
// entry.
class PendingChanges {
  public:
    using Log = JobComplaints::Log;

    // Everything must outlive it. `journal`: of nobody else.
    PendingChanges(SlurmEdge& slurm, Journal<PendingChange>& journal, ResizeHistory& history,
                   Log log);

    // What an earlier daemon left. Fails where some of that is damaged; the rest is there then.
    Expected<void> load();
    // For a change, or for a resize that may become one.
    std::uint64_t take_number() { return next_number_++; }
    // Those up to this one were given out by an earlier daemon.
    void skip_numbers(std::uint64_t number);

    // Before the job is changed. On disk when it returns. Of each job a few stay, and among them
    // what its owner asked for.
    Expected<void> keep(const PendingChange& change);
    // After it was tried in vain: whoever gives the job the same request later is somebody else.
    void forget_unless_given(std::uint64_t number);

    // The pending jobs whose size an administrator chose last.
    std::set<std::uint32_t> manual() const;
    // The pending jobs that ask for what a policy last gave them.
    std::set<std::uint32_t> resized(const Observation& seen) const;
    // Comments that jobs may get back.
    std::vector<std::string> comments_before() const;
    // Is it known what this job asked for before?
    bool is_of(std::uint32_t job) const;

    // Gives jobs back what they asked for before, where slurmctld can never run them as they ask
    // now; leaves those in `under_way` alone. Asks slurmctld only about jobs that it has stopped.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    Expected<void> forget(std::uint64_t number);
    Expected<void> make_room(std::uint32_t job);
    void forget_what_is_over(const Observation& seen);
    void look_after(std::uint32_t job);
    // The newest of the job, of which this holds; null: none.
    const PendingChange* newest_of(std::uint32_t job,
                                   const std::function<bool(const PendingChange&)>& holds) const;
    const PendingChange* given_to(const slurm::Job& job) const;
    // That slurmctld may have taken only a part of.
    const PendingChange* begun_rollback(const slurm::Job& job) const;
    bool has_rolled_back(const slurm::Job& job);
    bool has_sent_back(PendingChange change, const slurm::Job& job);
    bool is_done(const slurm::Answered& answered, std::uint32_t job, const std::string& refused);
    void finish(const slurm::Job& job, bool is_whole);
    bool has_own_priority(const PendingChange& change, const slurm::Job& job);
    bool has_hold_again(const slurm::Job& job);
    void end(const PendingChange& change, const slurm::Job& job, bool is_whole);

    SlurmEdge& slurm_;
    Journal<PendingChange>& journal_;
    ResizeHistory& history_;
    std::map<std::uint64_t, PendingChange> changes_;  // by number, as they stand in the journal
    std::map<std::uint32_t, Seconds> rests_;          // by job: not before, by the steady clock
    std::uint64_t next_number_ = 1;
    Log log_;
    JobComplaints complaints_;
};

}  // namespace hora::horad
