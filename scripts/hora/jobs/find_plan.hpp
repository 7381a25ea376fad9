// What did Hora decide about a job, by what stands in its administrator's comment?
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/store/plan_spool.hpp"
#include "scripts/history/database.hpp"

namespace hora::scripts {

// Where plans are that jobs carry only the key of.
struct PlanPlaces {
    slurm::PlanSpool spool;
    uid_t slurm_user = 0;                   // whose slurmctld writes there
    history::Database* database = nullptr;  // null: it cannot be read
};

// The one answer for all callers: the whole decision in the comment, else the record that its key
// names. Empty where the comment has no word of Hora's. Fails where it has, and the plan cannot be
// found or read.
Expected<std::optional<domain::Decision>> find_plan(std::string_view comment,
                                                    const PlanPlaces& places);

}  // namespace hora::scripts
