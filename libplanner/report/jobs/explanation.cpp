// What does a person see of why a job was planned as it was?
#include "libplanner/report/jobs/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "libplanner/base/counted.hpp"
#include "libplanner/domain/mode_names.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/jobs/status.hpp"
#include "libplanner/report/moment.hpp"
#include "libplanner/report/plan/plan.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

std::string plan_lines(const domain::Decision& decision) {
    if (!decision.has_plan) {
        return "plan        none\n";
    }
    std::string text = fmt::format(
        "plan        {} x {} on {}, {}: {} a step{}{}\n", decision.gpus, types_of(decision),
        decision.where, name_of(decision.mode), duration(decision.step_seconds),
        decision.seconds ? fmt::format(", {} in all ({})", duration(*decision.seconds),
                                       range_of(*decision.seconds, decision.breakdown.overhead,
                                                decision.correction))
                         : "",
        decision.waits ? "; pending until they are free" : "");
    text += fmt::format("  a step    compute {} + exchange {}{}; overhead of the run {}\n",
                        duration(decision.breakdown.compute), duration(decision.breakdown.exchange),
                        exchange_remark(decision.exchange), duration(decision.breakdown.overhead));
    if (decision.correction) {
        text += "  " + words_of(*decision.correction) + "\n";
    }
    if (decision.lateness) {
        text += "  " + words_of(*decision.lateness) + "\n";
    }
    for (const domain::TypeUse& use : decision.uses) {
        text += fmt::format("  {:<9} {:.4g} TFLOP/s attainable, {}-bound{}\n", use.type,
                            use.attainable.count() / 1e12,
                            use.bound == domain::Bound::memory ? "memory" : "compute",
                            format_remark(use.takes_tf32));
    }
    return text;
}

std::string placement_lines(const ExplainedJob& job) {
    const domain::Placement& placement = job.decision.placement;
    if (placement.promise == domain::Promise::nothing) {
        return {};
    }
    std::string text = fmt::format("placement   {}{}: {}\n", name_of(placement.promise),
                                   placement.is_enforced ? "" : " only", placement.what);
    if (!job.decision.has_applied_locality()) {
        return text;
    }
    if (placement.relaxed != 0) {
        return text + fmt::format("  locality  dropped at {}: Slurm chooses among all GPUs\n",
                                  moment(placement.relaxed));
    }
    if (job.is_freed) {
        return text + "  locality  dropped by the job's owner: Slurm chooses among all GPUs\n";
    }
    return text + fmt::format("  wait      {} at most{}\n", duration(placement.wait),
                              placement.is_free ? "; such GPUs were free" : "; none were free");
}

std::string replanned_lines(const domain::Replanned& replanned) {
    if (replanned.times == 0) {
        return {};
    }
    return fmt::format(
        "planned     anew at {}{}: {}\n  before    {}\n", moment(replanned.when),
        replanned.times == 1 ? std::string() : fmt::format(" ({} times so far)", replanned.times),
        replanned.why, replanned.from);
}

std::string rejected_lines(const domain::Decision& decision) {
    std::string text;
    for (const domain::Alternative& other : decision.rejected) {
        text += fmt::format("rejected    {}, {}, {}: {}\n",
                            other.where.empty() ? counted(other.gpus, "GPU") : other.where,
                            name_of(other.mode), other.seconds ? duration(*other.seconds) : "--",
                            other.reason);
    }
    return text;
}

std::string change_lines(const domain::Decision& decision) {
    // Without a plan only what was done is on record.
    const bool is_done =
        decision.operating == "act" && (decision.has_plan || !decision.changes.empty());
    std::string text = fmt::format(
        "request     {}: {}\n", decision.operating,
        is_done ? "rewritten"
                : (decision.changes.empty() ? "submitted unchanged"
                                            : "submitted unchanged; acting would have set"));
    for (const domain::FieldChange& change : decision.changes) {
        text += "  " + line_of(change) + "\n";
    }
    return text;
}

bool is_over(const ExplainedJob& job) {
    constexpr std::string_view living[] = {"PENDING", "RUNNING", "SUSPENDED", "REQUEUED"};
    return std::find(std::begin(living), std::end(living), job.state) == std::end(living);
}

// Of jobs that record a timeline.
std::string late_line(const MeasuredSize& size) {
    return size.late
               ? fmt::format("  late rank {} of a step is waiting for it\n", duration(*size.late))
               : std::string();
}

// One prediction is not that of all sizes.
std::string size_lines(const std::vector<MeasuredSize>& sizes) {
    std::string text;
    for (const MeasuredSize& size : sizes) {
        const std::string label = counted(size.gpus, "GPU");
        text += fmt::format("  {:<9} {} a step over {}{}", label, duration(size.measured),
                            counted(size.steps, "step"),
                            size.nodes > 1 ? fmt::format(" on {} nodes", size.nodes) : "");
        if (size.predicted && size.error) {
            text += fmt::format("; predicted {} ({:+.0f} %)", duration(*size.predicted),
                                100 * *size.error);
        }
        text += "\n" + late_line(size);
    }
    return text;
}

std::string measured_lines(const ExplainedJob& job) {
    if (!job.measured && job.is_withheld) {
        return "measured    only its owner may read that\n";
    }
    if (!job.measured) {
        return is_over(job) ? "measured    nothing\n" : "measured    nothing yet\n";
    }
    const Seconds step = job.measured->step_seconds;
    std::string text =
        fmt::format("measured    {} a step over {}, {} {}", duration(step),
                    counted(job.measured->steps, "step"), duration(job.measured->spent),
                    is_over(job) ? "in all" : "so far");
    if (job.sizes.size() > 1) {
        return text + ", at several sizes\n" + size_lines(job.sizes);
    }
    if (job.decision.has_plan && job.decision.step_seconds > Seconds(0)) {
        text += fmt::format("; predicted {} ({:+.0f} %)", duration(job.decision.step_seconds),
                            100 * (step / job.decision.step_seconds - 1));
    }
    return text + "\n" + (job.sizes.empty() ? std::string() : late_line(job.sizes.front()));
}

std::string rescale_lines(const ExplainedJob& job) {
    std::string text;
    for (const Rescale& rescale : job.rescales) {
        const std::uint32_t requested = requested_of(rescale);
        const bool has_another = rescale.outcome == "other size" && rescale.to != requested;
        text += fmt::format("rescale     {}: {} -> {}, {}{}: {}\n",
                            moment(static_cast<std::int64_t>(rescale.asked)), rescale.from,
                            counted(requested, "GPU"), words_of_outcome(rescale.outcome),
                            has_another ? fmt::format(" ({})", rescale.to) : std::string(),
                            rescale.why);
        if (!rescale.remark.empty()) {
            text += fmt::format("  remark    {}\n", rescale.remark);
        }
        if (!rescale.outcome.empty()) {
            text +=
                fmt::format("  cost      {}\n  gain      {}\n", cost_of(rescale), gain_of(rescale));
        }
    }
    return text;
}

}  // namespace

std::string line_of(const domain::FieldChange& change) {
    const auto shown = [](const std::string& value) {
        return value.empty() ? "--" : terminal_text(value);
    };
    return fmt::format("{}: {} -> {}", change.field, shown(change.before), shown(change.after));
}

std::string to_text(const ExplainedJob& job) {
    const domain::Decision& decision = job.decision;
    std::string text =
        fmt::format("job {}      \"{}\", {}\n", job.id, terminal_text(job.name), job.state);
    text += "options    ";
    for (const auto& [name, value] : decision.options) {
        text += fmt::format(" --{}{}{}", name, value.empty() ? "" : "=", value);
    }
    text +=
        "\n" + plan_lines(decision) + replanned_lines(decision.replanned) + placement_lines(job);
    if (!decision.remark.empty()) {
        text += fmt::format("remark      {}\n", decision.remark);
    }
    text += rejected_lines(decision) + change_lines(decision) + measured_lines(job) +
            rescale_lines(job);
    if (job.held) {
        text += fmt::format("time limit  {}\n", words_of(*job.held));
    }
    if (!job.stays.empty()) {
        text += fmt::format("unchanged   {}\n", job.stays);
    }
    text += fmt::format("snapshot    {}, partition \"{}\"\n", moment(decision.snapshot),
                        decision.partition);
    return text;
}

}  // namespace hora::report
