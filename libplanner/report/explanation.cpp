// Why was a job planned as it was, and did the prediction hold?
#include "libplanner/report/explanation.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "libplanner/report/decision_token.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/plan.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

ordered_json number(const std::optional<Seconds>& seconds) {
    return seconds ? ordered_json(seconds->count()) : ordered_json(nullptr);
}

std::string_view bound_name(domain::Bound bound) {
    return bound == domain::Bound::memory ? "memory" : "compute";
}

ordered_json plan_of(const domain::Decision& decision) {
    ordered_json devices = ordered_json::array();
    for (const domain::TypeUse& use : decision.uses) {
        devices.push_back({{"type", use.type},
                           {"attainable", use.attainable.count()},
                           {"bound", bound_name(use.bound)}});
    }
    return {{"mode", name_of(decision.mode)},
            {"gpus", decision.gpus},
            {"nodes", decision.nodes},
            {"where", decision.where},
            {"waits", decision.waits},
            {"seconds", number(decision.seconds)},
            {"step_seconds", decision.step_seconds.count()},
            {"breakdown",
             {{"compute", decision.breakdown.compute.count()},
              {"exchange", decision.breakdown.exchange.count()},
              {"overhead", decision.breakdown.overhead.count()}}},
            {"devices", devices}};
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

std::string types_of(const domain::Decision& decision) {
    std::string types;
    for (const domain::TypeUse& use : decision.uses) {
        types += (types.empty() ? "" : " + ") + use.type;
    }
    return types;
}

std::string plan_lines(const domain::Decision& decision) {
    if (!decision.has_plan) {
        return "plan        none\n";
    }
    std::string text = fmt::format(
        "plan        {} x {} on {}, {}: {} a step{}{}\n", decision.gpus, types_of(decision),
        decision.where, name_of(decision.mode), duration(decision.step_seconds),
        decision.seconds ? ", " + duration(*decision.seconds) + " in all" : "",
        decision.waits ? "; was to wait until they are free" : "");
    text += fmt::format("  a step    compute {} + exchange {}; overhead of the run {}\n",
                        duration(decision.breakdown.compute), duration(decision.breakdown.exchange),
                        duration(decision.breakdown.overhead));
    for (const domain::TypeUse& use : decision.uses) {
        text += fmt::format("  {:<9} {:.4g} TFLOP/s attainable, {}-bound\n", use.type,
                            use.attainable.count() / 1e12, bound_name(use.bound));
    }
    return text;
}

std::string time_of(std::int64_t seconds) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

ordered_json placement_of(const ExplainedJob& job) {
    const domain::Placement& placement = job.decision.placement;
    if (placement.promise == domain::Promise::nothing) {
        return nullptr;
    }
    ordered_json object{{"promise", name_of(placement.promise)},
                        {"what", placement.what},
                        {"enforced", placement.is_enforced}};
    if (placement.is_enforced) {
        object["free"] = placement.is_free;
        object["wait"] = placement.wait.count();
        object["relaxed"] = job.is_freed || placement.relaxed != 0;
        object["relaxed_at"] =
            placement.relaxed == 0 ? ordered_json(nullptr) : ordered_json(placement.relaxed);
    }
    return object;
}

std::string placement_lines(const ExplainedJob& job) {
    const domain::Placement& placement = job.decision.placement;
    if (placement.promise == domain::Promise::nothing) {
        return {};
    }
    std::string text = fmt::format("placement   {}{}: {}\n", name_of(placement.promise),
                                   placement.is_enforced ? "" : " only", placement.what);
    if (!placement.is_enforced || job.decision.operating != "act") {
        return text;
    }
    if (placement.relaxed != 0) {
        return text + fmt::format("  relaxed   at {}: Slurm chooses among all GPUs\n",
                                  time_of(placement.relaxed));
    }
    if (job.is_freed) {
        return text + "  relaxed   by the job's owner: Slurm chooses among all GPUs\n";
    }
    return text + fmt::format("  wait      {} at most{}\n", duration(placement.wait),
                              placement.is_free ? "; such GPUs were free" : "; none were free");
}

std::string rejected_lines(const domain::Decision& decision) {
    std::string text;
    for (const domain::Alternative& other : decision.rejected) {
        text += fmt::format("rejected    {}, {}, {}: {}\n",
                            other.where.empty() ? fmt::format("{} GPUs", other.gpus) : other.where,
                            name_of(other.mode), other.seconds ? duration(*other.seconds) : "--",
                            other.reason);
    }
    return text;
}

std::string change_lines(const domain::Decision& decision) {
    const bool is_done = decision.operating == "act" && decision.has_plan;
    std::string text =
        fmt::format("request     {}: {}\n", decision.operating,
                    is_done ? "rewritten"
                            : (decision.changes.empty() ? "left as it was"
                                                        : "left as it was; acting would have set"));
    for (const domain::FieldChange& change : decision.changes) {
        text += fmt::format("  {}: {} -> {}\n", change.field,
                            change.before.empty() ? "--" : change.before,
                            change.after.empty() ? "--" : change.after);
    }
    return text;
}

bool is_over(const ExplainedJob& job) {
    constexpr std::string_view living[] = {"PENDING", "RUNNING", "SUSPENDED", "REQUEUED"};
    return std::find(std::begin(living), std::end(living), job.state) == std::end(living);
}

std::string measured_lines(const ExplainedJob& job) {
    if (!job.measured) {
        return is_over(job) ? "measured    nothing\n" : "measured    nothing yet\n";
    }
    const Seconds step = job.measured->step_seconds;
    std::string text = fmt::format("measured    {} a step over {} steps, {} {}", duration(step),
                                   job.measured->steps, duration(job.measured->spent),
                                   is_over(job) ? "in all" : "so far");
    if (job.decision.has_plan && job.decision.step_seconds > Seconds(0)) {
        text += fmt::format("; predicted {} ({:+.0f} %)", duration(job.decision.step_seconds),
                            100 * (step / job.decision.step_seconds - 1));
    }
    return text + "\n";
}

}  // namespace

std::string to_json(const ExplainedJob& job) {
    const domain::Decision& decision = job.decision;
    ordered_json options = ordered_json::object();
    for (const auto& [name, value] : decision.options) {
        options[name] = value;
    }
    ordered_json changes = ordered_json::array();
    for (const domain::FieldChange& change : decision.changes) {
        changes.push_back(
            {{"field", change.field}, {"before", change.before}, {"after", change.after}});
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
        {"remark", decision.remark},
        {"rejected", rejected_of(decision)},
        {"changes", changes},
        {"measured", measured_of(job.measured)}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const ExplainedJob& job) {
    const domain::Decision& decision = job.decision;
    std::string text = fmt::format("job {}      \"{}\", {}\n", job.id, job.name, job.state);
    text += "options    ";
    for (const auto& [name, value] : decision.options) {
        text += fmt::format(" --{}{}{}", name, value.empty() ? "" : "=", value);
    }
    text += "\n" + plan_lines(decision) + placement_lines(job);
    if (!decision.remark.empty()) {
        text += fmt::format("remark      {}\n", decision.remark);
    }
    text += rejected_lines(decision) + change_lines(decision) + measured_lines(job);
    text += fmt::format("snapshot    {}, partition \"{}\"\n", time_of(decision.snapshot),
                        decision.partition);
    return text;
}

}  // namespace hora::report
