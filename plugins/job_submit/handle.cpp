// What happens to one submission, from its request to the answer? Settings: "mode", "submit.budget"
// and what plans are made by.
#include "plugins/job_submit/handle.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "libplanner/plan/request.hpp"
#include "libplanner/report/decision_token.hpp"
#include "plugins/job_submit/apply.hpp"
#include "plugins/job_submit/daemon.hpp"
#include "plugins/job_submit/decision.hpp"
#include "plugins/job_submit/notice.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "plugins/job_submit/wish.hpp"

namespace hora::submit {
namespace {

using Clock = std::chrono::steady_clock;

void tell(char** message, const std::string& text) {
    if (message != nullptr) {
        slurm::set_string(*message, text.c_str());
    }
}

// Slurm has no number for "a plugin's option": this is the nearest, and the text says the rest.
int refuse(char** message, const Error& error) {
    tell(message, "hora: " + error.message);
    slurm_info("hora: refused: %s", error.message.c_str());
    return ESLURM_INVALID_TRES;
}

std::string name_of(const job_desc_msg_t& job) {
    return job.name == nullptr ? std::string() : std::string(job.name).substr(0, 64);
}

// The user ought to know that his options did nothing.
int leave(const job_desc_msg_t& job, char** message, const std::string& why) {
    tell(message, "hora: the job is left as it is: " + why);
    slurm_info("hora: job \"%s\" passes unchanged: %s", name_of(job).c_str(), why.c_str());
    return SLURM_SUCCESS;
}

void carry_out(const Verdict& verdict, read::OperatingMode mode, job_desc_msg_t& job,
               char** message) {
    keep_token(report::to_token(verdict.decision), job);
    if (mode == read::OperatingMode::act && verdict.decision.has_plan) {
        apply(verdict.rewrite, job);
    }
    if (mode != read::OperatingMode::observe) {
        tell(message, notice_of(verdict.decision));
    }
    slurm_info("hora: %s", log_line(verdict.decision, name_of(job)).c_str());
}

void check_budget(Clock::time_point start, Seconds budget, const std::string& job) {
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (taken.count() > budget.count()) {
        slurm_info("hora: planning job \"%s\" took %.1f ms, over submit.budget of %.1f ms",
                   job.c_str(), taken.count() * 1e3, budget.count() * 1e3);
    }
}

// What is planned with, if anything; an absence has been logged by whoever noticed it.
struct Known {
    std::shared_ptr<const read::Settings> settings;
    slurm::SharedSnapshot snapshot;
};

std::optional<Known> known_of(const Site& site) {
    Known known{site.settings(), site.snapshot()};
    return known.settings && known.snapshot ? std::optional(std::move(known)) : std::nullopt;
}

}  // namespace

int handle(const Site& site, job_desc_msg_t& job, std::uint32_t uid, char** message) {
    if (!names_hora(job)) {
        return SLURM_SUCCESS;
    }
    const auto start = Clock::now();
    const auto submission = read_submission(job, uid);
    if (!submission) {
        return leave(job, message, submission.error().message);
    }
    const auto options = options_of(*submission);
    if (!options) {
        return refuse(message, options.error());
    }
    if (!options->wants_plan()) {
        return SLURM_SUCCESS;
    }
    if (!options->batch) {
        return leave(job, message, "--hora-batch (the samples of a step) is missing");
    }
    const auto workload = workload_of(*submission, *options);
    if (!workload) {
        return refuse(message, workload.error());
    }
    if (!*workload) {
        return leave(job, message, "nothing came along of model \"" + *options->model + "\"");
    }
    const auto known = known_of(site);
    if (!known) {
        return SLURM_SUCCESS;
    }
    const domain::Request wanted = plan::request_of(*options, **workload, *known->settings);
    Verdict verdict = decide(*submission, wanted, *known->snapshot,
                             {.now = std::time(nullptr), .version = slurm::this_version});
    const read::OperatingMode mode = known->settings->mode_of(verdict.decision.partition);
    verdict.decision.operating = read::name_of(mode);
    verdict.decision.options = typed_options(*submission);
    carry_out(verdict, mode, job, message);
    check_budget(start, known->settings->get<Seconds>("submit.budget"), name_of(job));
    return SLURM_SUCCESS;
}

}  // namespace hora::submit
