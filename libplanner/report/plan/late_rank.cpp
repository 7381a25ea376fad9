// How is a step with a late rank shown?
#include "libplanner/report/plan/late_rank.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/report/duration.hpp"
#include "libplanner/report/plan/plan.hpp"

namespace hora::report {

using nlohmann::ordered_json;

std::string words_of(const cost::LateStep& late, const domain::Plan& plan) {
    std::string text =
        late.was_measured
            ? std::string("late rank   is part of the measured times")
            : fmt::format("late rank   {}/step where the exchange waits for it, {} more",
                          duration(late.waiting), duration(late.waiting - plan.step_seconds));
    if (late.bypassing) {
        text += fmt::format("; {}--allreduce=bypass saves up to {}",
                            late.was_measured ? "where those runs waited, " : "",
                            duration(late.waiting - *late.bypassing));
    }
    return text;
}

ordered_json json_of(const cost::LateStep& late) {
    return {{"step_seconds", late.waiting.count()},
            {"step_seconds_bypass",
             late.bypassing ? ordered_json(late.bypassing->count()) : ordered_json(nullptr)},
            {"was_measured", late.was_measured}};
}

std::string to_table(const domain::Plan& plan, const domain::Cluster& cluster,
                     const cost::LateStep& late) {
    return to_table(plan, cluster) + words_of(late, plan) + "\n";
}

std::string to_json(const domain::Plan& plan, const domain::Cluster& cluster,
                    const cost::LateStep& late) {
    ordered_json object = json_of(plan, cluster);
    object["late_rank"] = json_of(late);
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
