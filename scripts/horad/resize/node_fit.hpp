// Which nodes can give a job so many GPUs, its own counted as free?
//
// request::available_gpus answers it for a plan, whose CPUs are a number for each GPU; those of a
// job that was planned are what ResizeRules says of each number of GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/limits.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/resize/resize_rules.hpp"

namespace hora::horad {

// `now`: that are free; else that are there at all.
class NodeFit {
  public:
    // `job` and `rules` must outlive it.
    NodeFit(const slurm::Job& job, const ResizeRules& rules, const domain::Snapshot& snapshot);

    // In which the job has ended.
    const domain::Snapshot& snapshot() const { return snapshot_; }

    // The fewest nodes that can give so many, with the same number on each, within the limits of
    // the job's owner.
    std::optional<std::uint32_t> nodes_for(std::uint32_t gpus, bool now) const;

    // That can give so many each; the fullest first: what is left elsewhere stays together.
    std::vector<std::uint32_t> candidates(std::uint32_t gpus, bool now) const;

    // All that the job may have.
    std::vector<std::uint32_t> scope() const;

    // The limit that keeps so many from the job, though there are nodes for them; "": none.
    std::string limit_of(std::uint32_t gpus, bool now) const;

  private:
    // A node that the job may have, and how many GPUs it could give, now and at all.
    struct Room {
        std::uint32_t node = 0;
        std::uint32_t free = 0;
        std::uint32_t all = 0;
    };

    void free_own();
    std::vector<std::uint32_t> nodes() const;
    std::uint32_t count(std::uint32_t node, bool now) const;
    bool has_room(std::uint32_t nodes, std::uint32_t gpus, bool now) const;
    bool is_allowed(std::uint32_t nodes, std::uint32_t per_node) const;
    request::Claim claim(std::uint32_t nodes, std::uint32_t gpus) const;

    const slurm::Job& job_;
    const ResizeRules& rules_;
    domain::Snapshot snapshot_;
    request::Limits limits_;
    std::string type_;
    std::vector<Room> rooms_;
};

}  // namespace hora::horad
