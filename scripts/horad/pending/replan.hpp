// Would a job that waits end sooner by a new plan, and what would have to change for it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/pending_change.hpp"

namespace hora::horad {

// What is to be expected of a plan at this moment.
struct Outlook {
    bool can_run = false;  // usable nodes could give it, now or once they are idle
    bool waits = false;    // not by what is free now
    Seconds length;        // of the run; of a step where that is not known
};

// Why the job should have the other plan; empty: it should keep its own. `wait`: how long slurmctld
// expects it to wait for its own, 0 where it does not know. `gain`: by how much of the new plan's
// time it must end sooner.
std::string why_change(const Outlook& own, Seconds wait, const Outlook& other, double gain);

struct NewPlan {
    slurm::JobChange change;  // but for the word in the administrator's comment
    domain::Decision decision;
};

struct ReplanScene {
    const domain::Snapshot& snapshot;  // with what was measured
    const read::Settings& settings;    // replan.gain, placement.wait, plan.*, cost.*
    std::int64_t now = 0;
    std::uint32_t version = 0;  // of Slurm
};

// Empty where the job keeps its plan, which is the rule. Fails, in words for a person, where no
// plan of this job is ever made anew. What the job's script has been told stays true: its mode, its
// batch, the CPUs of each task, the type of GPU where the request names one.
Expected<std::optional<NewPlan>> plan_anew(const slurm::Job& job, const domain::Decision& decision,
                                           const domain::JobOptions& options,
                                           const ReplanScene& scene);

// What the job asks for now, to be kept before it gets the plan: it may turn out to be impossible.
PendingChange change_of(std::uint64_t number, const slurm::Job& job, const NewPlan& plan,
                        std::int64_t now);

}  // namespace hora::horad
