// How is the plan shown that a job would get if it were submitted now?
#include "libplanner/report/jobs/submission_plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/jobs/explanation.hpp"
#include "libplanner/report/jobs/placement_json.hpp"
#include "libplanner/report/plan/plan.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

std::string title_of(const domain::Decision& decision) {
    const std::string where =
        decision.partition.empty()
            ? ""
            : fmt::format(" in partition \"{}\"", terminal_text(decision.partition));
    return decision.operating + where +
           (decision.waits ? ", pending until these GPUs are free" : "");
}

}  // namespace

std::string to_json(const domain::Plan& plan, const domain::Decision& decision,
                    const domain::Cluster& cluster) {
    ordered_json object = json_of(plan, cluster);
    object["submission"] = {{"operating", decision.operating},
                            {"partition", decision.partition},
                            {"snapshot", decision.snapshot},
                            {"nodes", decision.nodes},
                            {"where", decision.where},
                            {"waits", decision.waits},
                            {"placement", json_of(decision.placement)},
                            {"remark", decision.remark},
                            {"changes", json_of(decision.changes)}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string to_table(const domain::Plan& plan, const domain::Decision& decision,
                     const domain::Cluster& cluster) {
    std::string text = table_of(plan, cluster);
    text += fmt::format("submission  {}\n", title_of(decision));
    if (!decision.placement.what.empty()) {
        text += fmt::format("placement   {}: {}\n", name_of(decision.placement.promise),
                            decision.placement.what);
    }
    for (const domain::FieldChange& change : decision.changes) {
        text += fmt::format("  {}\n", line_of(change));
    }
    if (!decision.remark.empty()) {
        text += fmt::format("remark      {}\n", terminal_text(decision.remark));
    }
    return text;
}

}  // namespace hora::report
