// What becomes of a submission? One answer for the controller's plugin and for `hora plan`, of
// values alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/plan/price/search_limit.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/request/contract.hpp"
#include "libplanner/request/planned.hpp"
#include "libplanner/request/rewrite/rewrite.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct Question {
    const Submission& submission;
    const read::Settings* settings = nullptr;    // null: none could ever be read
    const domain::Snapshot* snapshot = nullptr;  // null: there is no fresh one
    const domain::Workload* workload = nullptr;  // null: is still to be read from the submission
};

struct Answer {
    // In words for the user, naming what to do: the job is not accepted, and nothing changes.
    std::optional<Error> refusal;
    // For the record; empty where Hora has nothing to plan, or the options cannot be used. Its
    // changes are those of the plan, or of the request without one, be they made or not.
    std::optional<domain::Decision> decision;
    domain::Plan plan;  // of the decision, if it has one, in the GPUs of the snapshot
    // What changes in the request: nothing, unless the mode is act.
    Rewrite rewrite;
    Contract contract;
    std::string remark;  // one line for the user, where there is no plan; may be empty
};

// The mode of the job's partition: of the one that rules the job as far as there is a snapshot to
// name it, else of the first that was named. Empty where no settings could ever be read.
std::optional<read::OperatingMode> mode_of(const std::vector<std::string>& partitions,
                                           const read::Settings* settings,
                                           const domain::Snapshot* snapshot);

Answer decide(const Question& question, const Moment& moment, plan::SearchLimit limit = {});

// The answer where there is no plan for a cause of the caller's, `why`: planning has failed.
Answer decide_without_plan(const Question& question, const Moment& moment, const std::string& why);

}  // namespace hora::request
