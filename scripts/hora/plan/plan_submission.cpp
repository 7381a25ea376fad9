// `hora plan --partition NAME`: what would this job get if it were submitted to the site? Settings
// read: snapshot.path, snapshot.max_age, and those of libplanner/request.
#include "scripts/hora/plan/plan_submission.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <utility>

#include "libplanner/model/workload.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/model/workload_text.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/state/snapshot.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/submission_plan.hpp"
#include "libplanner/request/decide.hpp"
#include "libplanner/request/stated_options.hpp"
#include "scripts/hora/command/input.hpp"
#include "scripts/hora/site/cluster_source.hpp"

namespace hora::scripts {
namespace {

Expected<domain::Snapshot> load_snapshot(const std::string& path) {
    const auto text = read::read_file(path);
    if (!text) {
        return unexpected(text.error());
    }
    if (!is_snapshot(*text)) {
        return wrong_use(fmt::format(
            "{} is no snapshot, so it knows neither partitions nor limits; leave {} out, or use a "
            "snapshot (hora cluster snapshot)",
            read::quoted(path), submission_option_names));
    }
    auto snapshot = read::read_snapshot(*text);
    if (!snapshot) {
        return unexpected(snapshot.error().within(path));
    }
    return snapshot;
}

// The plugin refuses such a snapshot. A copy elsewhere may be as old as its owner likes.
void remark_on_age(const domain::Snapshot& snapshot, const std::string& path,
                   const read::Settings& settings, std::int64_t now) {
    if (path != settings.get<std::string>("snapshot.path")) {
        return;
    }
    const Seconds most = settings.get<Seconds>("snapshot.max_age");
    const Seconds age = read::age_of(snapshot, now);
    const read::SnapshotAge judged = read::judge_age(age, most);
    if (judged == read::SnapshotAge::too_old) {
        print_remark(fmt::format(
            "the snapshot is {} old, more than {} (snapshot.max_age), and sbatch would not use it; "
            "is 'hora cluster snapshot' still run?",
            report::duration(age), report::duration(most)));
    } else if (judged == read::SnapshotAge::ahead) {
        print_remark(fmt::format(
            "the snapshot was written {} from now, and sbatch would not use it; check the clocks",
            report::duration(Seconds(0) - age)));
    }
}

// What a submission's client sends along of a model that the controller does not know.
Expected<std::string> workload_text(const request::Submission& submission,
                                    const domain::JobOptions& options,
                                    std::optional<std::uint64_t> sequence) {
    const auto known = request::workload_of(submission, options);
    if (!known || (known->has_value() && !sequence)) {
        return known ? Expected<std::string>() : unexpected(known.error());
    }
    const auto network = read_network(*options.model, sequence);
    if (!network) {
        return unexpected(network.error());
    }
    return read::to_text(model::to_workload(*network, options.data_type));
}

}  // namespace

void add_submission_options(CLI::App& command, SubmissionOptions& options) {
    const char* const group = "As if it were submitted to the site (with a snapshot)";
    const auto add = [&](const char* name, std::string& value, const char* help, const char* type) {
        command.add_option(name, value, help)->type_name(type)->group(group)->check(&not_empty);
    };
    add("--partition", options.partition, "Partition of the site", "NAME");
    add("--qos", options.qos, "Quality of service", "NAME");
    add("--account", options.account, "Account that is charged", "NAME");
    add("--user", options.user, "Whose job it is; without it the caller's", "NAME");
    add("--constraint", options.constraint, "Features of the nodes", "LIST");
    command.add_option("--nodes", options.nodes, "Exactly so many nodes")
        ->transform(count_up_to(domain::unlimited_nodes))
        ->type_name("N")
        ->group(group);
    add("--time", options.time, "Time limit, as sbatch has it", "TIME");
}

Expected<Exit> plan_submission(const SubmissionToPlan& to_plan, const std::string& path,
                               const read::Settings& settings) {
    const auto snapshot = load_snapshot(path);
    if (!snapshot) {
        return unexpected(snapshot.error());
    }
    const std::int64_t now = std::time(nullptr);
    remark_on_age(*snapshot, path, settings, now);
    auto submission = submission_of(to_plan.site, to_plan.job, ::getuid(), *snapshot);
    if (!submission) {
        return unexpected(submission.error());
    }
    auto workload =
        request::options_of(*submission).and_then([&](const domain::JobOptions& options) {
            return workload_text(*submission, options, to_plan.sequence);
        });
    if (!workload) {
        return unexpected(workload.error());
    }
    submission->workload = std::move(*workload);
    request::Answer answer =
        request::decide({.submission = *submission, .settings = &settings, .snapshot = &*snapshot},
                        {.now = now, .spell = to_plan.spell});
    if (!answer.decision) {
        return unexpected(answer.refusal.value_or(Error{"there is nothing to plan"}));
    }
    const domain::Decision& decision = *answer.decision;
    answer.plan.correction = decision.correction;
    answer.plan.lateness = decision.lateness;
    print_data(to_plan.is_json ? report::to_json(answer.plan, decision, snapshot->cluster)
                               : report::to_table(answer.plan, decision, snapshot->cluster));
    return decision.has_plan ? Exit::done : Exit::nothing_fits;
}

}  // namespace hora::scripts
