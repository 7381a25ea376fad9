// Which starts of jobs has horad brought about, however it died since?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/journal_list.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

struct OwnRestart {
    std::uint32_t job = 0;
    std::uint32_t uid = 0;         // with the next one it tells apart starts of jobs of the same id
    std::uint32_t restarts = 0;    // Slurm's count for this start
    std::uint32_t priority = 0;    // the job's own; 0: slurmctld computes it
    std::int64_t controller = 0;   // when slurmctld had started, as horad began it
    bool has_run = false;          // this start was seen to run
    bool is_released = false;      // it was held by slurmctld, and horad released it
    bool lacks_priority = false;   // since then
    bool is_anothers = false;      // somebody else, or slurmctld, has restarted the job since
    std::int64_t released_at = 0;  // the last time so, by slurmctld's clock
    // When it was asked for a checkpoint, for slurmctld has forgotten its requeue; 0: it was not.
    std::int64_t asked_at = 0;
    std::int64_t asked_of = 0;  // when the slurmctld that has forgotten it had started

    friend bool operator==(const OwnRestart&, const OwnRestart&) = default;
};

extern const ListFormat<OwnRestart> list_of_restarts;

// The newest of each job that slurmctld knows. What is not on disk, for that is full, is known all
// the same, so that nothing is done again and again; the next call that changes one writes it.
class OwnRestarts {
  public:
    // `journal` outlives it.
    explicit OwnRestarts(JournalFile& journal);

    // JournalList says what fails.
    Expected<void> load();
    // These are on disk when they return without an error, with all that was not before.
    Expected<void> keep(const OwnRestart& restart);
    // One that horad is about to begin, or that has begun; of a start that is known already nothing
    // changes but that it has run.
    Expected<void> note(const OwnRestart& restart);
    Expected<void> forget(std::uint32_t job);
    // Forgets those of jobs that slurmctld no longer knows, or that somebody holds; notes which of
    // the others run, and which somebody else has restarted since.
    Expected<void> see(const Observation& seen);

    std::optional<OwnRestart> find(std::uint32_t job) const;

  private:
    template <class Edit>
    Expected<void> change(Edit edit);

    JournalList<OwnRestart> journal_;
    JournalList<OwnRestart>::Items restarts_;  // by job
    bool is_loaded_ = false;                   // with what the journal has
};

}  // namespace hora::horad
