// Of which pending jobs is the locality constraint dropped, and what came of it?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/jobs/pending_job.hpp"

namespace hora::scripts {

enum class Relaxing { relaxed, due, unconstrained, started, refused };

std::string_view name_of(Relaxing result);

struct RelaxedJob {
    std::string job;
    Relaxing result = Relaxing::unconstrained;
    Seconds waited;
    std::string message;  // where something did not go as it should
};

// How decisions are found and kept, in the daemon and in the command.
struct PlanAccess {
    // Empty where the comment keeps none; fails where it cannot be found.
    std::function<Expected<std::optional<domain::Decision>>(const std::string& comment)> find;
    // Returns the word for the comment.
    std::function<std::string(const domain::Decision&)> keep;
};

// The decision of a job that Hora holds to sockets. Fails where its plan cannot be found.
Expected<std::optional<domain::Decision>> constraint_of(const slurm::Job& job,
                                                        const PlanAccess& plans);

Seconds waited(const slurm::Job& job, std::int64_t now);
// For what this decision holds it to: a new plan has held it back only since it was made.
Seconds waited(const slurm::Job& job, const domain::Decision& decision, std::int64_t now);

// Could it have run, and has this decision held it back for as long as it may?
bool is_due(const slurm::Job& job, const domain::Decision& decision, std::int64_t now);
// Which decision has; empty also where its plan cannot be found.
std::optional<domain::Decision> due_decision(const slurm::Job& job, const PlanAccess& plans,
                                             std::int64_t now);

// Takes the constraint off and notes that with the job; `is_dry`: only says that it is due.
RelaxedJob relax(const slurm::Job& job, domain::Decision decision, const PlanAccess& plans,
                 std::int64_t now, bool is_dry);

// Those that could have run for as long as their owners, or the site, let them be held back.
// One whose plan cannot be found is none of them.
std::vector<RelaxedJob> relax_due(const std::vector<slurm::Job>& pending, const PlanAccess& plans,
                                  std::int64_t now, bool is_dry);

}  // namespace hora::scripts
