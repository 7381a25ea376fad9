// How is the plan shown that a job would get if it were submitted now?
#pragma once

#include <string>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::report {

// The object of the plan by itself, with a "submission": what would change in the request, and why
// there is no plan where there is none. `plan` is the decision's, and empty without one.
std::string to_json(const domain::Plan& plan, const domain::Decision& decision,
                    const domain::Cluster& cluster);
// Likewise the table, with the changes below.
std::string to_table(const domain::Plan& plan, const domain::Decision& decision,
                     const domain::Cluster& cluster);

}  // namespace hora::report
