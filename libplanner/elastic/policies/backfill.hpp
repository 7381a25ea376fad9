// First come, first served with backfill by time limits, as Slurm does it for rigid jobs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/policies/rigid_schedule.hpp"

namespace hora::elastic {

enum class Reservations {
    all,    // conservative: no job delays any that came before it (Slurm's sched/backfill)
    first,  // EASY (Lifka, 1995): none delays the first that does not fit
};

// One that is past its limit holds its GPUs still, and one that starts takes them at least for a
// moment.
constexpr Seconds least_left(1);

// Who of a queue starts now, if every job runs until its time limit. Times are seconds from now.
class BackfillPlan {
  public:
    BackfillPlan(std::uint32_t gpus, Reservations reservations)
        : schedule_(gpus), gpus_(gpus), reservations_(reservations) {}

    // GPUs that are in use for so long. To be called for all, before the first of the queue.
    // Precondition: never more than there are.
    void hold(std::uint32_t gpus, Seconds left);
    // The next of the queue: does it start now? One that does holds its GPUs from then on. False
    // for one that requests more than there are, and for one whose `from`, before which no nodes
    // can hold it, is later than now. O(jobs that were given before).
    bool starts(std::uint32_t gpus, Seconds limit, Seconds from = Seconds(0));
    // Has it looked at as many as Slurm looks at in one cycle? Those behind them wait.
    bool is_over() const { return waiting_ >= most_waiting; }

  private:
    // bf_max_job_test, as shipped.
    static constexpr std::size_t most_waiting = 500;

    RigidSchedule schedule_;
    std::uint32_t gpus_;
    Reservations reservations_;
    std::size_t waiting_ = 0;  // that did not start
};

// What Slurm takes for the limit of a job that has none.
constexpr Seconds unlimited(365.0 * 86400);

class Backfill : public Policy {
  public:
    explicit Backfill(Reservations reservations) : reservations_(reservations) {}

    // The objective is the number of jobs that start. O(jobs^2), of the first 500 that wait.
    Allocation decide(const domain::ElasticState& state) const override;

  private:
    Reservations reservations_;
};

}  // namespace hora::elastic
