// What do people see of a change of a job's size: when, why, what it cost, what it gained?
#include "libplanner/report/jobs/rescale.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/report/duration.hpp"

namespace hora::report {
namespace {

nlohmann::ordered_json number(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json number(const std::optional<Seconds>& value) {
    return value ? nlohmann::ordered_json(value->count()) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::optional<double> speed_up(const Rescale& rescale) {
    const bool is_measured = rescale.step_before && rescale.step_after &&
                             *rescale.step_before > Seconds(0) && *rescale.step_after > Seconds(0);
    return is_measured ? std::optional(*rescale.step_before / *rescale.step_after) : std::nullopt;
}

std::string cost_of(const Rescale& rescale) {
    std::string text =
        rescale.lost ? fmt::format("{} of training", duration(*rescale.lost)) : std::string();
    // A clock that was set back in between makes this negative; then it says nothing.
    if (rescale.ready && rescale.first_step && *rescale.first_step >= *rescale.ready) {
        text += fmt::format("{}{} from the checkpoint to the first step", text.empty() ? "" : ", ",
                            duration(Seconds(*rescale.first_step - *rescale.ready)));
    }
    return text.empty() ? "not measured" : text;
}

std::string gain_of(const Rescale& rescale) {
    const auto factor = speed_up(rescale);
    return factor
               ? fmt::format("{} -> {} a step, {:.3g} times as fast",
                             duration(*rescale.step_before), duration(*rescale.step_after), *factor)
               : "not measured";
}

std::uint32_t requested_of(const Rescale& rescale) {
    return rescale.requested.value_or(rescale.to);
}

std::string words_of_outcome(std::string_view outcome) {
    if (outcome.empty()) {
        return "under way";
    }
    // It names what the job was, and reads as if it were still to be done.
    return std::string(outcome == "pending" ? "done while it waited" : outcome);
}

nlohmann::ordered_json json_of(const Rescale& rescale) {
    return {{"job", rescale.job},
            {"restarts", rescale.restarts},
            {"from", rescale.from},
            {"requested", rescale.requested ? nlohmann::ordered_json(*rescale.requested)
                                            : nlohmann::ordered_json(nullptr)},
            {"to", rescale.to},
            {"why", rescale.why},
            {"outcome", rescale.outcome},
            {"remark", rescale.remark},
            {"asked", rescale.asked},
            {"ready", number(rescale.ready)},
            {"started", number(rescale.started)},
            {"first_step", number(rescale.first_step)},
            {"lost", number(rescale.lost)},
            {"step_before", number(rescale.step_before)},
            {"step_after", number(rescale.step_after)},
            {"speed_up", number(speed_up(rescale))}};
}

}  // namespace hora::report
