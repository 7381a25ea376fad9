// What does acting need of the world? Slurm, what jobs report, sizes, and a journal; each can be
// played by a test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "plugins/slurm/jobs/restart_reservation.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

class SlurmEdge {
  public:
    virtual ~SlurmEdge() = default;
    // Empty where there is no such job; fails where slurmctld does not answer.
    virtual Expected<std::optional<slurm::Job>> look_at(std::uint32_t job) = 0;
    virtual slurm::Answered change(std::uint32_t job, const slurm::JobChange& change) = 0;
    // From now on, for this restart, slurmctld takes no time limit and no begin from us once
    // anybody else has set one. Where that cannot be said, ours may be written over one of the same
    // moment.
    virtual void yield_times(std::uint32_t job, std::uint32_t owner) = 0;
    virtual slurm::Answered hold(std::uint32_t job, bool by_user) = 0;
    virtual slurm::Answered ask_for_checkpoint(std::uint32_t job,
                                               domain::CheckpointSignal signal) = 0;
    // Back to the queue, where it runs or has failed.
    virtual slurm::Answered requeue(const slurm::Job& job) = 0;
    // When slurmctld was started, by its clock; 0 where it does not say.
    virtual std::int64_t started() = 0;
    // When the newest slurmd of these nodes was started, by its clock; of all nodes where none is
    // named. Fails where slurmctld does not answer.
    virtual Expected<std::int64_t> newest_slurmd(const std::string& nodes) = 0;
    // The priority of the first of the other jobs that wait in a partition of this one; 0: none
    // does. Fails where slurmctld does not answer.
    virtual Expected<std::uint32_t> highest_beside(const slurm::Job& job) = 0;
    // Keeps these nodes for the jobs that are restarted, or others than before.
    virtual slurm::Answered reserve(const slurm::ReservedNodes& reserved) = 0;
    // `unreachable` also while a job is in it.
    virtual slurm::Answered end_reservation() = 0;
    // Does slurmctld compute priorities? Then a job's own is not a number to go back to.
    virtual bool computes_priorities() = 0;
    // May a job's owner give its priority to another job? Not known is taken for yes.
    virtual bool users_swap_priorities() = 0;
};

// What the newest reports of a job say of one of its starts.
struct Heard {
    bool has_progressed = false;    // since that start
    bool has_checkpointed = false;  // likewise
    double last = 0;                // when, in seconds since the epoch; 0: not since horad started
};

// A start that is not heard for so many times what a checkpoint may take has no process any more,
// where slurmctld may have forgotten its end.
constexpr double silence = 3;

class Listener {
  public:
    virtual ~Listener() = default;
    virtual Heard heard_of(std::uint32_t job, std::uint32_t restarts) const = 0;
};

// Which request is so many GPUs?
class Shaper {
  public:
    virtual ~Shaper() = default;
    // Fails where the job cannot have that many, in words for a person.
    virtual Expected<slurm::JobShape> shape(const slurm::Job& job, std::uint32_t gpus) const = 0;
    // The largest allowed size up to `most` that could start now; else the least, wherever that
    // may be.
    virtual Expected<slurm::JobShape> fallback(const slurm::Job& job, const Resize& resize,
                                               std::uint32_t most) const = 0;
};

template <class Entry>
class Journal {
  public:
    virtual ~Journal() = default;
    // On disk when it returns. Fails changing nothing.
    virtual Expected<void> keep(const Entry& entry) = 0;
    virtual Expected<void> forget(std::uint64_t number) = 0;
    virtual Expected<std::vector<Entry>> load() = 0;
};

// Takes what has come of each.
class ResizeHistory {
  public:
    virtual ~ResizeHistory() = default;
    virtual void record(const Resized& resized) = 0;
};

}  // namespace hora::horad
