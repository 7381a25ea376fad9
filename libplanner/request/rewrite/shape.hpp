// What would Slurm be asked for, to get this plan?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/plan.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/limits.hpp"
#include "libplanner/request/scope/scope.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct PlannedType {
    std::string name;
    std::uint32_t nodes = 0;  // that bring this type
    double speed = 1;         // relative to the fastest, by the shares
};

struct Shape {
    std::uint32_t nodes = 0;
    std::uint32_t gpus_per_node = 0;
    std::uint32_t gpus = 0;
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t cpus_per_task = 0;  // 0: as the user said, or not known
    std::vector<PlannedType> types;   // by name
    std::vector<std::string> names;   // of the nodes it was planned on
};

// Slurm hands out whole cores, so an odd number of threads would cost one more than planned, or
// than a limit leaves.
std::uint32_t whole_cores(std::uint32_t cpus, std::uint32_t threads);

// `plan` fits and has the same number of GPUs on each of its nodes.
Shape shape_of(const domain::Plan& plan, const Submission& submission, const Limits& limits,
               const domain::Partition& partition, const domain::Snapshot& snapshot,
               bool as_if_idle);

}  // namespace hora::request
