// How long do the steps of this start wait for late ranks, by what its ranks record
// (hora-trace(5))?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"

namespace hora::watch {

class LateRanks {
  public:
    // `folder`: of the job's checkpoints; empty: there is none. Only what lies in it is looked at,
    // not where a user's own HORA_TRACE_DIR leads.
    LateRanks(const std::string& folder, std::uint32_t restarts);

    // After 16 steps of this start and again each time that they are four times as many, since each
    // time all is read again. Once the records have outgrown `most_bytes`, never again: the job's
    // first node computes. A record that cannot be read changes nothing, and no memory ends it.
    void look(std::uint64_t steps);

    // Of the steps that were looked at (trace/waiting.hpp); empty: not known.
    std::optional<Seconds> of_step() const { return of_step_; }

    static constexpr std::size_t most_bytes = std::size_t{8} << 20;  // of all ranks
    static constexpr std::size_t most_ranks = 1024;

  private:
    void read_newest();

    std::string folder_;
    std::string start_;  // how the folders of its steps' records begin
    std::uint64_t next_ = 16;
    std::optional<Seconds> of_step_;
};

}  // namespace hora::watch
