// How is it reported which jobs a policy gives other GPUs, and why?
#include "libplanner/report/jobs/elastic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

struct Change {
    std::size_t job = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Seconds before;  // until its end on what it holds; unless it waits
    Seconds after;   // likewise, with the restart that leads there
};

Seconds time_after(const domain::ElasticState& state, const domain::ElasticJob& job,
                   std::uint32_t to) {
    const Seconds restart = job.gpus > 0 ? state.rescale_of(job) : Seconds();
    return to == 0 ? Seconds() : restart + elastic::remaining_time(job, to);
}

std::vector<Change> changes_of(const ElasticDecision& decision) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < decision.allocation.gpus.size(); ++i) {
        const domain::ElasticJob& job = decision.file.state.jobs[i];
        const std::uint32_t to = decision.allocation.gpus[i];
        if (to != job.gpus) {
            changes.push_back({i, job.gpus, to,
                               job.gpus == 0 ? Seconds() : elastic::remaining_time(job, job.gpus),
                               time_after(decision.file.state, job, to)});
        }
    }
    return changes;
}

bool somebody_waits(const domain::ElasticState& state) {
    return state.waiting > 0 ||
           std::any_of(state.jobs.begin(), state.jobs.end(),
                       [](const domain::ElasticJob& job) { return job.gpus == 0; });
}

std::string reason_of(const Change& change, const domain::ElasticState& state) {
    if (change.from == 0) {
        return "it waited";
    }
    const std::string difference = duration(
        change.before < change.after ? change.after - change.before : change.before - change.after);
    const char* const direction = change.after < change.before ? "sooner" : "later";
    if (change.to > change.from) {
        return fmt::format("ends {} {}", difference, direction);
    }
    return fmt::format("ends {} {}, for {}", difference, direction,
                       somebody_waits(state) ? "pending jobs" : "a job with a larger speed-up");
}

ordered_json json_of(const read::JobName& name) {
    return std::visit([](const auto& value) { return ordered_json(value); }, name);
}

std::string text_of(const read::JobName& name) {
    const std::string text =
        json_of(name).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return read::printable(text, text.size());
}

std::uint64_t idle_after(const ElasticDecision& decision) {
    std::uint64_t idle = decision.file.state.gpus;
    for (const std::uint32_t gpus : decision.allocation.gpus) {
        idle -= std::min<std::uint64_t>(idle, gpus);
    }
    return idle;
}

}  // namespace

std::string to_json(const ElasticDecision& decision) {
    ordered_json changes = ordered_json::array();
    for (const Change& each : changes_of(decision)) {
        changes.push_back({{"job", json_of(decision.file.names[each.job])},
                           {"from", each.from},
                           {"to", each.to},
                           {"seconds_before",
                            each.from == 0 ? ordered_json() : ordered_json(each.before.count())},
                           {"seconds_after", each.after.count()},
                           {"reason", reason_of(each, decision.file.state)}});
    }
    const ordered_json object{{"version", 1},
                              {"policy", decision.policy.name},
                              {"changes", std::move(changes)},
                              {"objective", decision.allocation.objective},
                              {"objective_is", decision.policy.objective},
                              {"idle", idle_after(decision)}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string to_table(const ElasticDecision& decision) {
    const domain::ElasticState& state = decision.file.state;
    const std::vector<Change> changes = changes_of(decision);
    std::string text = fmt::format(
        "{}   {} of {} held, then {}   {} changed   {}: {:.6g}\n", decision.policy.name,
        state.held(), counted(state.gpus, "GPU"), state.gpus - idle_after(decision),
        counted(changes.size(), "job"), decision.policy.objective, decision.allocation.objective);
    if (changes.empty()) {
        return text;
    }
    std::vector<std::vector<std::string>> rows;
    for (const Change& each : changes) {
        rows.push_back({text_of(decision.file.names[each.job]),
                        fmt::format("{} -> {}", each.from, each.to), duration(each.after),
                        reason_of(each, state)});
    }
    return text + text_table({{"job"}, {"GPUs"}, {"ends in"}, {"why"}}, rows, "  ");
}

}  // namespace hora::report
