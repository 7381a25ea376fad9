// What does a program see of why a job was planned as it was?
#include <nlohmann/json.hpp>

#include "libplanner/domain/mode_names.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/jobs/explanation.hpp"
#include "libplanner/report/jobs/placement_json.hpp"
#include "libplanner/report/jobs/status_json.hpp"
#include "libplanner/report/plan/plan.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

ordered_json number(const std::optional<Seconds>& seconds) {
    return seconds ? ordered_json(seconds->count()) : ordered_json(nullptr);
}

ordered_json plan_of(const domain::Decision& decision) {
    ordered_json devices = ordered_json::array();
    for (const domain::TypeUse& use : decision.uses) {
        devices.push_back({{"type", use.type},
                           {"attainable", use.attainable.count()},
                           {"bound", use.bound == domain::Bound::memory ? "memory" : "compute"},
                           {"takes_tf32", use.takes_tf32}});
    }
    ordered_json plan{{"mode", name_of(decision.mode)},
                      {"gpus", decision.gpus},
                      {"nodes", decision.nodes},
                      {"where", decision.where},
                      {"waits", decision.waits}};
    if (decision.gpus_if_idle > 0) {
        plan["gpus_if_idle"] = decision.gpus_if_idle;
    }
    add_times(plan, decision.seconds, decision.step_seconds, decision.breakdown.overhead,
              decision.correction);
    plan["breakdown"] = {{"compute", decision.breakdown.compute.count()},
                         {"exchange", decision.breakdown.exchange.count()},
                         {"overhead", decision.breakdown.overhead.count()}};
    plan["exchange"] = exchange_of(decision.exchange);
    plan["devices"] = devices;
    if (decision.correction) {
        plan["correction"] = correction_of(*decision.correction);
    }
    if (decision.lateness) {
        plan["lateness"] = json_of(*decision.lateness);
    }
    return plan;
}

ordered_json rejected_of(const domain::Decision& decision) {
    ordered_json all = ordered_json::array();
    for (const domain::Alternative& other : decision.rejected) {
        all.push_back({{"mode", name_of(other.mode)},
                       {"gpus", other.gpus},
                       {"where", other.where},
                       {"seconds", number(other.seconds)},
                       {"reason", other.reason}});
    }
    return all;
}

ordered_json measured_of(const std::optional<cost::Measured>& measured) {
    return measured ? ordered_json{{"steps", measured->steps},
                                   {"samples", measured->samples},
                                   {"seconds", measured->spent.count()},
                                   {"step_seconds", measured->step_seconds.count()}}
                    : ordered_json(nullptr);
}

ordered_json placement_of(const ExplainedJob& job) {
    const domain::Placement& placement = job.decision.placement;
    ordered_json object = json_of(placement);
    if (!object.is_null() && placement.is_enforced) {
        object["relaxed"] = job.is_freed || placement.relaxed != 0;
        object["relaxed_at"] =
            placement.relaxed == 0 ? ordered_json(nullptr) : ordered_json(placement.relaxed);
    }
    return object;
}

ordered_json replanned_of(const domain::Replanned& replanned) {
    return replanned.times == 0 ? ordered_json(nullptr)
                                : ordered_json{{"when", replanned.when},
                                               {"times", replanned.times},
                                               {"from", replanned.from},
                                               {"why", replanned.why}};
}

ordered_json sizes_of(const ExplainedJob& job) {
    ordered_json all = ordered_json::array();
    for (const MeasuredSize& size : job.sizes) {
        all.push_back(json_of(size));
    }
    return all;
}

ordered_json rescales_of(const ExplainedJob& job) {
    ordered_json all = ordered_json::array();
    for (const Rescale& rescale : job.rescales) {
        all.push_back(json_of(rescale));
    }
    return all;
}

}  // namespace

ordered_json json_of(const std::vector<domain::FieldChange>& changes) {
    ordered_json all = ordered_json::array();
    for (const domain::FieldChange& change : changes) {
        all.push_back(
            {{"field", change.field}, {"before", change.before}, {"after", change.after}});
    }
    return all;
}

std::string to_json(const ExplainedJob& job) {
    const domain::Decision& decision = job.decision;
    ordered_json options = ordered_json::object();
    for (const auto& [name, value] : decision.options) {
        options[name] = value;
    }
    const ordered_json object{
        {"version", 1},
        {"job", job.id},
        {"name", job.name},
        {"state", job.state},
        {"operating", decision.operating},
        {"partition", decision.partition},
        {"snapshot", decision.snapshot},
        {"options", options},
        {"plan", decision.has_plan ? plan_of(decision) : ordered_json(nullptr)},
        {"placement", placement_of(job)},
        {"replanned", replanned_of(decision.replanned)},
        {"remark", decision.remark},
        {"rejected", rejected_of(decision)},
        {"changes", json_of(decision.changes)},
        {"measured", measured_of(job.measured)},
        {"measured_withheld", job.is_withheld},
        {"sizes", sizes_of(job)},
        {"rescales", rescales_of(job)},
        {"held_by_limit", job.held ? json_of(*job.held) : ordered_json(nullptr)},
        {"stays", job.stays.empty() ? ordered_json(nullptr) : ordered_json(job.stays)}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
