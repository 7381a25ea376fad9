// What has each job last reported of itself?
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "plugins/slurm/report/report_message.hpp"

namespace hora::horad {

// Steps that were timed at one size of a job, and with one batch, over all its starts that were
// heard of.
struct TimedSteps {
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    Seconds step;      // the newest median
    double steps = 0;  // done so
    // Of a job with a range of batches, the global one; 0: it has one batch.
    std::uint64_t batch = 0;
};

// How an earlier start of a job ended, by what was heard of it.
struct PastStart {
    std::uint32_t restarts = 0;
    slurm::Report progress;                   // the last one
    double last_progress = 0;                 // when it was heard of
    std::optional<std::uint64_t> checkpoint;  // the step that the next start goes on from
};

// A start that slurmctld does not know of (any more).
struct LaterStart {
    std::uint32_t restarts = 0;
    double heard = 0;  // when it last was
};

// The newest reports of one job. Points in time are seconds since the epoch.
struct JobReports {
    std::uint32_t restarts = 0;  // the start that the next seven are of
    std::optional<slurm::Report> progress;
    std::optional<slurm::Report> checkpoint;
    bool is_heard = false;  // of this start; an earlier daemon may have timed others
    bool has_ended = false;
    std::uint64_t first_step = 0;  // that was reported
    double first_progress = 0;     // when it was heard of; 0: not yet
    double last_progress = 0;
    std::optional<PastStart> before;
    std::optional<LaterStart> later;
    // A size and batch each, in the order in which they were first heard of.
    std::vector<TimedSteps> timed;
    std::uint64_t noise_scale = 0;  // the newest that was said, of any start; 0: none was
};

// One thread puts, others look: each call is safe by itself.
class Reports {
  public:
    // Of a report that is known to be of the job's owner. An older start's is passed over; so are
    // steps and samples that go backwards, which a program's mistake must not undo. `batch`: of
    // this start of a job with a range of batches; else 0.
    void put(const slurm::Report& report, double now, std::uint64_t batch = 0);

    // Of a report of a start that is later than the job's, by slurmctld.
    void note_later(const slurm::Report& report, double now);

    // What an earlier daemon timed of a job. Sizes and batches that were heard of since are left as
    // they are.
    void remember(std::uint32_t job, const std::vector<TimedSteps>& timed);

    // Empty where nothing was heard of this job.
    std::optional<JobReports> of(std::uint32_t job) const;
    std::map<std::uint32_t, JobReports> all() const;
    std::uint64_t count() const;  // reports that were put so far

    // Forgets the jobs that are not among these, ascending: a number may come again.
    void keep_only(const std::vector<std::uint32_t>& jobs);

  private:
    mutable std::mutex mutex_;
    std::map<std::uint32_t, JobReports> jobs_;
    std::uint64_t count_ = 0;
};

}  // namespace hora::horad
