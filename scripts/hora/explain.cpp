// `hora explain`: why was a job planned as it was? Settings: "checkpoint.path", where the job's
// program reports its progress.
#include "scripts/hora/explain.hpp"

#include <slurm/slurm.h>

#include <memory>
#include <string>

#include "libplanner/read/checkpoint_path.hpp"
#include "libplanner/read/decision_token.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/progress.hpp"
#include "libplanner/read/settings.hpp"
#include "libplanner/report/explanation.hpp"
#include "plugins/slurm/find_job.hpp"
#include "scripts/hora/site.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string job;
    bool is_json = false;
};

std::string cluster_name() {
    slurm_conf_t* configuration = nullptr;
    if (slurm_load_ctl_conf(0, &configuration) != SLURM_SUCCESS) {
        return {};
    }
    const char* name = configuration->cluster_name;
    std::string result = name == nullptr ? std::string() : std::string(name);
    slurm_free_ctl_conf(configuration);
    return result;
}

// What the program reported, read with the caller's own rights. Empty where it cannot be read:
// another user's, or nothing yet.
std::optional<cost::Measured> measure(const slurm::FoundJob& job,
                                      const domain::Decision& decision) {
    const auto settings = load_settings();
    const std::int64_t submitted = decision.submitted != 0 ? decision.submitted : job.submitted;
    const auto folder = read::checkpoint_path(
        settings.value_or(read::Settings()).get<std::string>("checkpoint.path"),
        {.user = job.user,
         .uid = job.uid,
         .cluster = cluster_name(),
         .job = job.job,
         .submit = static_cast<std::uint64_t>(submitted),
         .work_directory = job.work_directory});
    if (!folder) {
        return std::nullopt;
    }
    const auto progress =
        read::read_file(*folder + "/progress.jsonl").and_then(read::read_progress);
    return progress ? cost::measured_of(progress->reports) : std::nullopt;
}

Expected<std::string> explain(const Options& options) {
    const auto number = slurm::parse_job_number(options.job);
    if (!number) {
        return unexpected(number.error());
    }
    slurm_init(nullptr);
    const auto job = slurm::find_job(*number);
    if (!job) {
        return unexpected(job.error());
    }
    auto decision = read::find_decision(job->admin_comment);
    if (!decision) {
        return unexpected(decision.error().within("job " + options.job));
    }
    if (!*decision) {
        return failure("job " + options.job +
                       " has no plan: it was submitted without --hora-model, or while Hora had no "
                       "snapshot of the cluster");
    }
    report::ExplainedJob explained{.id = options.job,
                                   .name = job->name,
                                   .state = job->state,
                                   .decision = std::move(**decision),
                                   .measured = {},
                                   .is_freed = false};
    explained.measured = measure(*job, explained.decision);
    explained.is_freed = explained.decision.placement.is_enforced &&
                         explained.decision.operating == "act" &&
                         !job->is_bound_to_sockets.value_or(true);
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
    command->callback([&outcome, options] {
        const auto text = explain(*options);
        if (!text) {
            outcome.exit = report(text.error());
            return;
        }
        print_data(*text);
    });
}

}  // namespace hora::scripts
