// What does the daemon's history hold, as people see it?
// Settings read: history.path.
#include "scripts/hora/history/past.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "scripts/history/database.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

report::MeasuredRun run_of(const history::Sample& sample) {
    const Seconds predicted = sample.predicted_compute + sample.predicted_exchange;
    return {.job = sample.of.job,
            .model = sample.model,
            .device = sample.device,
            .gpus = sample.gpus,
            .nodes = sample.nodes,
            .predicted = predicted > Seconds(0) ? std::optional(predicted) : std::nullopt,
            .measured = sample.step,
            .steps = sample.steps,
            .submitted = sample.of.submitted,
            .restarts = sample.of.restarts,
            .when = sample.when,
            .lost = sample.lost,
            .late = sample.late};
}

report::Rescale rescale_of(const history::Rescale& rescale) {
    return {.job = rescale.of.job,
            .submitted = rescale.of.submitted,
            .restarts = rescale.of.restarts,
            .from = rescale.from,
            .requested = rescale.requested,
            .to = rescale.to,
            .why = rescale.why,
            .outcome = rescale.outcome,
            .remark = rescale.remark,
            .asked = rescale.asked,
            .ready = rescale.ready,
            .started = rescale.started,
            .first_step = rescale.first_step,
            .lost = rescale.lost,
            .step_before = rescale.step_before,
            .step_after = rescale.step_after};
}

Expected<Past> read_file(const std::string& path, const PastOf& of) {
    auto database = history::Database::open(path, history::Access::read);
    if (!database) {
        return unexpected(database.error());
    }
    const history::Filter filter{.job = of.job, .uid = {}, .since = of.since, .most = 200000};
    const auto samples = database->samples(filter);
    if (!samples) {
        return unexpected(samples.error());
    }
    const auto rescales = database->rescales(filter);
    if (!rescales) {
        return unexpected(rescales.error());
    }
    std::vector<report::MeasuredRun> runs;
    std::set<std::pair<std::uint64_t, std::int64_t>> of_runs;  // job, submitted
    const auto is_meant = [&](const history::Incarnation& one) {
        return of.submitted == 0 || one.submitted == of.submitted;
    };
    for (const history::Sample& sample : *samples) {
        if (is_meant(sample.of) && (of.model.empty() || sample.model == of.model)) {
            of_runs.emplace(sample.of.job, sample.of.submitted);
            runs.push_back(run_of(sample));
        }
    }
    report::History past{report::by_size(runs), {}};
    for (const history::Rescale& rescale : *rescales) {
        // A rescale is of a model if its job was measured to train it.
        const bool is_asked_for =
            of.model.empty() || of_runs.contains({rescale.of.job, rescale.of.submitted});
        if (is_asked_for && is_meant(rescale.of)) {
            past.rescales.push_back(rescale_of(rescale));
        }
    }
    return Past{std::move(runs), std::move(past)};
}

}  // namespace

bool is_there(const std::string& path) {
    return ::access(path.c_str(), F_OK) == 0 || errno != ENOENT;
}

Expected<Past> read_past(const PastOf& of) {
    const auto settings = load_settings();
    if (!settings) {
        return unexpected(settings.error());
    }
    const auto& path = settings->get<std::string>("history.path");
    if (!is_there(path)) {
        return failure(fmt::format(
            "there is no {}, which horad writes as jobs train; is it running? 'hora status' says "
            "so",
            read::quoted(path)));
    }
    auto past = read_file(path, of);
    if (past && of.job && past->runs.empty() && past->history.rescales.empty()) {
        return failure(fmt::format(
            "nothing is known of job {}: horad writes it down once it trains; was it submitted "
            "with --hora-model?",
            *of.job));
    }
    return past;
}

Expected<Past> find_past(const PastOf& of) {
    const auto settings = load_settings();
    if (!settings) {
        return unexpected(settings.error());
    }
    const auto& path = settings->get<std::string>("history.path");
    return is_there(path) ? read_file(path, of) : Past{};
}

}  // namespace hora::scripts
