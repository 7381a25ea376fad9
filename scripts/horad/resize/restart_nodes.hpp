// Which nodes are reserved for the jobs that are being restarted?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/resize/resize_step.hpp"

namespace hora::horad {

// Those of all entries that reserve theirs and do not run again yet; empty: none. Until
// ready_timeout and a minute after the newest request for a checkpoint, or the requeue that
// followed it. An entry of which that is past takes no part.
std::optional<slurm::ReservedNodes> nodes_of(const std::vector<ResizeEntry>& under_way,
                                             const ResizeLimits& limits, Moment now);

// Keeps the reservation so. A job whose nodes slurmctld refuses to reserve is restarted without.
class RestartNodes {
  public:
    // Must outlive it. An earlier daemon may have left a reservation.
    explicit RestartNodes(SlurmEdge& slurm) : slurm_(slurm) {}

    // Why slurmctld has refused it now; "": it has not.
    std::string keep(std::vector<ResizeEntry> under_way, const ResizeLimits& limits, Moment now);

    // Are those of this entry reserved?
    bool has(const ResizeEntry& entry) const;

    // Did slurmctld refuse the last one that was asked for?
    bool is_refused() const { return is_refused_; }

    // slurmctld may have one that is not known of here: killed before it saved that one had ended.
    void suspect() { may_stand_ = true; }

    // Is there a reservation that has to be ended, or may there be?
    bool is_open() const { return may_stand_; }

    // Is there one, or was there a moment ago? A job that waits for its nodes then seems to wait
    // for something else than GPUs, until slurmctld has looked at it again.
    bool closes_nodes(Seconds now) const;

  private:
    std::string make(const slurm::ReservedNodes& wanted, const std::vector<ResizeEntry>& entries);
    void end(Seconds now);

    SlurmEdge& slurm_;
    std::optional<slurm::ReservedNodes> made_;
    std::vector<std::uint64_t> kept_;     // the numbers of the entries whose nodes are in it
    std::vector<std::uint64_t> without_;  // of those whose nodes slurmctld does not reserve
    bool is_refused_ = false;
    bool may_stand_ = true;
    std::optional<Seconds> ended_;
    Seconds next_end_{};  // before that nothing is tried
};

}  // namespace hora::horad
