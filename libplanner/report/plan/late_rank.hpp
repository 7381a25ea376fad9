// How is a step with a late rank shown?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "libplanner/cost/late_rank.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::report {

// A line without its end.
std::string words_of(const cost::LateStep& late, const domain::Plan& plan);
// Both steps, that with the bypass null where it saves nothing.
nlohmann::ordered_json json_of(const cost::LateStep& late);

// As in plan.hpp, with that line below, and that object as "late_rank".
std::string to_table(const domain::Plan& plan, const domain::Cluster& cluster,
                     const cost::LateStep& late);
std::string to_json(const domain::Plan& plan, const domain::Cluster& cluster,
                    const cost::LateStep& late);

}  // namespace hora::report
