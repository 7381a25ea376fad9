// A job whose plan waits for GPUs of one switch, for five minutes.
#pragma once

#include "libplanner/domain/decision.hpp"

namespace hora::tests {

inline domain::Decision enforced_placement() {
    domain::Decision decision;
    decision.operating = "act";
    decision.has_plan = true;
    decision.placement = {.promise = domain::Promise::guaranteed,
                          .what = "each node's 2 GPUs on one switch",
                          .is_enforced = true,
                          .wait = Seconds(300)};
    return decision;
}

}  // namespace hora::tests
