// When is each job of a simulation promised the GPUs of its own request?
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "libplanner/elastic/policies/rigid_schedule.hpp"

namespace hora::sim {

// A rigid schedule on the clock of the simulation: where decisions are taken in rounds, a slot
// begins with a round, and what it held is free with one.
class PromisedSlots {
  public:
    // `round` 0: decisions are taken at every event.
    PromisedSlots(std::uint32_t gpus, Seconds round) : schedule_(gpus), round_(round) {}

    // `now`: of the next decision. Jobs are those of the trace.
    void submit(std::uint32_t job, std::uint32_t gpus, Seconds now, Seconds length);
    void set_length(std::uint32_t job, Seconds length);
    void end(std::uint32_t job);
    void advance(Seconds now);

    domain::Slot slot(std::uint32_t job) const;
    // Those that are not over, of jobs that have ended.
    std::vector<domain::Slot> ended(Seconds now);
    Seconds next_start(Seconds now) const { return schedule_.next_start(now); }

  private:
    struct Entry {
        std::size_t place = 0;
        Seconds length;
    };
    Seconds held(Seconds length) const;

    elastic::RigidSchedule schedule_;
    Seconds round_;
    std::map<std::uint32_t, Entry> entries_;
    std::vector<std::size_t> ended_;
};

}  // namespace hora::sim
