// Can a waiting job run at the size that it was given, and what if it never can?
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
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// slurmctld takes any size, and finds out at the job's turn, maybe hours later, that nothing can
// ever give it: then it stops the job for good. So what a job asked for before is kept until it has
// started.
class GivenSizes {
  public:
    using Log = JobComplaints::Log;

    // Everything must outlive it. `journal`: of nobody else.
    GivenSizes(SlurmEdge& slurm, Journal& journal, ResizeHistory& history, Log log);

    // What an earlier daemon left. Fails on a file that is not of this version, and is empty then.
    Expected<void> load();
    // Above those of all entries.
    std::uint64_t next_number() const;

    // Before the size is given. On disk when it returns. Of each job a few stay, and among them
    // what its owner asked for.
    Expected<void> keep(const ResizeEntry& entry);
    // After it was tried in vain: whoever gives the job the same size later is somebody else.
    void forget_unless_given(const ResizeEntry& entry);

    // The waiting jobs whose size an administrator chose last.
    std::set<std::uint32_t> manual() const;

    // Gives jobs back what they asked for before, where slurmctld can never run them as they ask
    // now; leaves those in `under_way` alone. Asks slurmctld only about jobs that it has stopped.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    Expected<void> forget(std::uint64_t number);
    Expected<void> make_room(std::uint32_t job);
    void forget_what_is_over(const Observation& seen);
    void look_after(std::uint32_t job);
    // The newest of the job, of which this holds; null: none.
    const ResizeEntry* newest_of(std::uint32_t job,
                                 const std::function<bool(const ResizeEntry&)>& holds) const;
    // That slurmctld may have taken only a part of.
    const ResizeEntry* begun_rollback(const slurm::Job& job) const;
    bool has_rolled_back(const slurm::Job& job);
    bool has_sent_back(ResizeEntry entry, const slurm::Job& job);
    bool is_done(const slurm::Answered& answered, std::uint32_t job, const std::string& refused);
    void finish(const slurm::Job& job, bool is_whole);
    bool has_own_priority(const ResizeEntry& entry, const slurm::Job& job);
    void end(ResizeEntry entry, const slurm::Job& job, bool is_whole);

    SlurmEdge& slurm_;
    Journal& journal_;
    ResizeHistory& history_;
    std::map<std::uint64_t, ResizeEntry> entries_;  // by number, as they stand in the journal
    std::map<std::uint32_t, Seconds> rests_;        // by job: not before, by the steady clock
    JobComplaints complaints_;
};

}  // namespace hora::horad
