// How is a resize, or one start of a job, put into a row of the history?
#include "scripts/horad/history/history_row.hpp"

#include <algorithm>
#include <string>

#include "scripts/horad/history/lost_time.hpp"

namespace hora::horad {
namespace {

std::optional<double> if_set(double time) {
    return time > 0 ? std::optional(time) : std::nullopt;
}

// Of one that does not run: what it asks for, as far as is known.
std::uint32_t size_afterwards(const Resized& resized) {
    const ResizeEntry& entry = resized.entry;
    if (resized.gpus > 0) {
        return resized.gpus;
    }
    if (is_suspension(entry.resize)) {
        return resized.ending == Ending::suspended ? 0 : entry.resize.from;
    }
    const bool is_changed = entry.was_pending ? resized.ending == Ending::pending
                                              : entry.state >= ResizeState::waiting_to_start &&
                                                    !(entry.wanted == entry.was);
    return is_changed ? entry.resize.to : entry.resize.from;
}

// A file's path is its owner's own business.
std::string model_of(const domain::JobOptions& options) {
    const std::string model = options.model.value_or("");
    return model.substr(model.rfind('/') + 1);
}

}  // namespace

history::Rescale row_of(const Resized& resized, std::int64_t submitted) {
    const ResizeEntry& entry = resized.entry;
    history::Rescale row;
    row.of = {entry.resize.job, submitted, entry.resize.restarts};
    row.uid = entry.uid;
    row.from = entry.resize.from;
    row.requested = entry.resize.to;
    row.to = size_afterwards(resized);
    row.why = reason_of(entry.resize);
    row.outcome = name_of(resized.ending);
    row.remark = resized.remark;
    row.asked = entry.asked;
    row.ready = if_set(entry.ready);
    row.started = if_set(entry.runs);
    row.first_step = if_set(resized.first_step);
    if (entry.ready > 0 && resized.first_step > entry.ready) {
        row.lost = Seconds(resized.first_step - entry.ready);
    }
    return row;
}

history::Sample row_of(std::uint32_t job, const NotedStart& start, const JobReports& reports,
                       std::int64_t now) {
    const domain::Decision& decision = start.memory->decision;
    history::Sample row;
    row.of = {job, decision.submitted, start.restarts};
    row.uid = start.uid;
    row.model = model_of(start.memory->options);
    row.device = decision.uses.empty() ? std::string() : decision.uses.front().type;
    row.gpus = start.size.gpus > 0 ? start.size.gpus : reports.progress->gpus;
    row.nodes = std::max(start.size.nodes, 1U);
    row.where = start.size.where;
    row.batch = start.size.batch != 0 ? start.size.batch : start.memory->options.batch.value_or(0);
    if (start.predicted) {
        row.predicted_compute = start.predicted->compute;
        row.predicted_exchange = start.predicted->exchange;
    }
    row.step = reports.progress->step_seconds;
    row.steps = std::max<std::uint64_t>(steps_of_start(reports), 1);
    row.lost = start_up_time(reports, static_cast<double>(start.started));
    row.when = now;
    const std::optional<Seconds> late = reports.progress->late;
    row.late = late && *late < row.step ? late : std::nullopt;
    return row;
}

}  // namespace hora::horad
