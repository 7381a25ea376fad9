// Which nodes are reserved for the jobs that are being restarted?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/resize/resize_step.hpp"

namespace hora::horad {

// Those of all entries that keep theirs and do not run again yet; empty: none. Until the last of
// them has had its time for a checkpoint, and a minute to start.
std::optional<slurm::ReservedNodes> nodes_of(const std::vector<ResizeEntry>& under_way,
                                             const ResizeLimits& limits);

// Keeps the reservation so. What slurmctld refuses is left: the job is restarted without, and
// others may start before it.
class RestartNodes {
  public:
    // Must outlive it. An earlier daemon may have left a reservation.
    explicit RestartNodes(SlurmEdge& slurm) : slurm_(slurm) {}

    // Why slurmctld has refused it now; "": it has not.
    std::string keep(const std::vector<ResizeEntry>& under_way, const ResizeLimits& limits,
                     Seconds now);

    // Are those of this entry reserved?
    bool has(const ResizeEntry& entry) const;

    // The last time that it was asked for one?
    bool is_refused() const { return refused_.has_value(); }

    // slurmctld has one, also where it was ended: a slurmctld that was killed before it saved that.
    void find() { may_stand_ = true; }

    // Is there a reservation that has to be ended, or may there be?
    bool is_open() const { return may_stand_; }

    // Is there one, or was there a moment ago? A job that waits for its nodes then seems to wait
    // for something else than GPUs, until slurmctld has looked at it again.
    bool closes_nodes(Seconds now) const;

  private:
    std::string make(const slurm::ReservedNodes& wanted, const std::vector<ResizeEntry>& under_way);
    void end(Seconds now);

    SlurmEdge& slurm_;
    std::optional<slurm::ReservedNodes> made_;
    std::vector<std::uint64_t> kept_;  // the numbers of the entries whose nodes are in it
    std::optional<slurm::ReservedNodes> refused_;  // the last time, if slurmctld has refused it
    bool may_stand_ = true;
    std::optional<Seconds> ended_;
    Seconds next_end_{};  // before that nothing is tried
};

}  // namespace hora::horad
