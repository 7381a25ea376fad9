// What should become of this job? A pure function of what was asked, what is known, and when.
#pragma once

#include <cstdint>

#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/plan/price/search_limit.hpp"
#include "libplanner/request/rewrite/placement.hpp"
#include "libplanner/request/rewrite/rewrite.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct Moment {
    std::int64_t now = 0;  // seconds since the epoch
    SpellGpus spell;
};

struct Planned {
    domain::Decision decision;  // operating and options are the caller's to fill in
    domain::Plan plan;          // the decision's, in the GPUs of the snapshot; empty without one
    Rewrite rewrite;            // empty unless decision.has_plan
};

// Plans on the GPUs that are free now, and where nothing fits there on all of the partition, so
// that the job queues as any other. Never asks for more than the limits leave: if that is not
// enough, there is no plan and the remark says why. Likewise where the search was over its limit.
Planned plan_request(const Submission& original, const domain::Request& requested,
                     const domain::Snapshot& snapshot, const Moment& moment,
                     WaitRule wait_rule = {}, plan::SearchLimit limit = {});

}  // namespace hora::request
