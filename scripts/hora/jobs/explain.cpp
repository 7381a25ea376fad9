// `hora explain`: why was a job planned as it was? Settings: "checkpoint.path", where the job's
// program reports its progress; "history.path", where the daemon keeps plans and notes rescales;
// "horad.state", where it says what it thinks of the job now.
#include "scripts/hora/jobs/explain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/file.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/read/trace/progress.hpp"
#include "libplanner/report/jobs/explanation.hpp"
#include "libplanner/report/jobs/status.hpp"
#include "libplanner/report/plan/brief_plan.hpp"
#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/history/past.hpp"
#include "scripts/hora/jobs/job_folder.hpp"
#include "scripts/hora/jobs/site_plans.hpp"
#include "scripts/hora/site/daemon_status.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string job;
    bool is_json = false;
};

// Where the program reports its progress; empty where the template of the site says nothing of use.
std::string progress_file(const slurm::FoundJob& job, const domain::Decision& decision) {
    const auto folder = job_folder(job, decision.submitted);
    return folder ? *folder + "/progress.jsonl" : std::string();
}

// Read with the caller's own rights: another user's is withheld.
void measure(const std::string& file, report::ExplainedJob& explained) {
    const auto progress =
        read::read_regular_file(file, read::Links::refuse).and_then(read::read_progress);
    if (progress) {
        explained.measured = cost::measured_of(progress->reports);
    } else {
        explained.is_withheld = ::access(file.c_str(), R_OK) != 0 && errno == EACCES;
    }
}

// A site without the daemon has none. One that cannot be read is said, and the plan has to do.
report::History past_of(std::uint64_t job, const domain::Decision& decision) {
    auto past = find_past({.job = job, .submitted = decision.submitted, .model = {}, .since = {}});
    if (!past) {
        report(past.error().within("what became of the job is not known"));
        return {};
    }
    std::reverse(past->history.rescales.begin(), past->history.rescales.end());
    return std::move(past->history);
}

// What a daemon that is alive says of the job now, where it is not being resized.
std::optional<domain::StatusJob> status_now(const slurm::FoundJob& job) {
    const auto settings = load_settings();
    const auto status = read_daemon_status(status_path(settings.value_or(read::Settings())));
    if (!status || report::is_stale({*status, static_cast<std::int64_t>(std::time(nullptr)), 0})) {
        return std::nullopt;
    }
    const auto found = std::find_if(status->jobs.begin(), status->jobs.end(),
                                    [&](const auto& one) { return one.id == job.job; });
    return found == status->jobs.end() || found->resize ? std::nullopt : std::optional(*found);
}

// What the job itself carries is little, but better than nothing.
std::string explain_briefly(const slurm::FoundJob& job, const domain::PlanWord& word,
                            const Error& why, const Options& options) {
    report(
        Error{fmt::format("the whole plan of job {} is in horad's database on the controller's "
                          "host ({})",
                          job.squeue_id, why.message)});
    const report::BriefJob brief{
        .id = job.squeue_id, .name = job.name, .state = job.state, .word = word};
    return options.is_json ? report::to_json(brief) : report::to_text(brief);
}

Expected<std::string> explain(const Options& options) {
    const auto number = slurm::parse_job_number(options.job);
    if (!number) {
        return unexpected(number.error());
    }
    if (const auto started = slurm::start("hora"); !started) {
        return unexpected(started.error());
    }
    const auto job = slurm::find_job(*number);
    if (!job) {
        return unexpected(job.error());
    }
    auto decision = SitePlans().find(job->admin_comment);
    if (const auto word = read::find_plan_word(job->admin_comment); !decision && word) {
        return explain_briefly(*job, *word, decision.error(), options);
    }
    if (!decision) {
        return unexpected(decision.error().within("job " + options.job));
    }
    if (!*decision) {
        return failure("job " + options.job +
                       " has no plan: it was submitted without --hora-model, or while Hora had no "
                       "snapshot of the cluster");
    }
    report::History past = past_of(job->job, **decision);
    report::ExplainedJob explained{.id = job->squeue_id,
                                   .name = job->name,
                                   .state = job->state,
                                   .decision = std::move(**decision),
                                   .measured = {},
                                   .is_freed = false,
                                   .rescales = std::move(past.rescales),
                                   .sizes = std::move(past.sizes)};
    if (auto now = status_now(*job)) {
        explained.held = now->held;
        explained.stays = std::move(now->stays);
    }
    measure(progress_file(*job, explained.decision), explained);
    explained.is_freed =
        explained.decision.has_applied_locality() && !job->is_bound_to_sockets.value_or(true);
    return options.is_json ? report::to_json(explained) : report::to_text(explained);
}

}  // namespace

void add_explain_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand("explain", "Say why a job was planned as it was");
    command->add_option("job", options->job, "12, 12_3 (a task of an array), 12+1 (a component)")
        ->required()
        ->type_name("JOBID");
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] { outcome.exit = print(explain(*options)); });
}

}  // namespace hora::scripts
