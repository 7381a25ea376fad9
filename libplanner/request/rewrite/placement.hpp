// Does the request keep the GPUs of each node together, and what does that ensure?
#pragma once

#include <optional>

#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/rewrite/shape.hpp"
#include "libplanner/request/rewrite/sockets.hpp"
#include "libplanner/request/scope/scope.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// How long a job may wait for GPU locality.
struct WaitRule {
    Seconds wait{300};
    bool is_owners = false;  // the job's owner said so, not the site
};

struct Placing {
    std::optional<SocketRule> rule;  // what is requested; empty: nothing
    // With the rule: fewer than in the shape, where Hora chose more CPUs than are beside the GPUs.
    std::optional<std::uint32_t> cpus_per_task{};
    domain::Placement placement;
};

// A rule is given only where GPUs of one socket are nearer to each other than those of two, where
// the planned nodes or, where the owner waits, enough nodes of the scope can satisfy it, and
// where nothing in the request speaks against it. Without the owner's word only where it is
// satisfied by GPUs that are free.
Placing placing_of(const domain::Plan& plan, const Shape& shape, const Submission& submission,
                   const Scope& scope, const domain::Snapshot& snapshot, WaitRule wait_rule);

}  // namespace hora::request
