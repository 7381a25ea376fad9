// Since when does each elastic job run, and what has it had, over all its starts?
#pragma once

#include <cstdint>
#include <map>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/journal_list.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Points in time are seconds since the epoch.
struct JobPast {
    std::uint32_t uid = 0;
    std::int64_t submitted = 0;  // as its decision says: tells jobs of the same number apart
    std::int64_t first_started = 0;
    std::int64_t last_started = 0;
    std::uint32_t first_restarts = 0;  // Slurm's count at the start that was seen first
    std::uint32_t restarts = 0;        // Slurm's count now
    double attained = 0;               // GPU-seconds
    std::int64_t seen = 0;

    friend bool operator==(const JobPast&, const JobPast&) = default;
};

struct PastRun {
    std::uint32_t job = 0;
    JobPast past;

    friend bool operator==(const PastRun&, const PastRun&) = default;
};

// Slurm forgets a start at the next one. Kept in the journal, for a daemon that is started anew.
class PastRuns {
  public:
    // `journal` outlives it.
    explicit PastRuns(JournalFile& journal);

    // JournalList says what fails.
    Expected<void> load();
    void see(const Observation& seen);
    // Writes where a job has started or gone since, and every minute.
    Expected<void> keep(std::int64_t now);

    // Null where the job has not been seen to run.
    const JobPast* find(const ObservedJob& job) const;

  private:
    JournalList<PastRun> kept_;  // by job, as it was at the last keep()
    std::map<std::uint32_t, JobPast> jobs_;
    bool is_news_ = false;
    std::int64_t written_ = 0;
};

}  // namespace hora::horad
