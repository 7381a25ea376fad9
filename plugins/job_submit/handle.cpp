// What happens to one submission, from its request to the answer? Settings: "mode",
// "submit.budget", "placement.wait" and what plans are made by.
#include "plugins/job_submit/handle.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/plan/request.hpp"
#include "libplanner/report/decision_token.hpp"
#include "plugins/job_submit/apply.hpp"
#include "plugins/job_submit/daemon.hpp"
#include "plugins/job_submit/decision.hpp"
#include "plugins/job_submit/notice.hpp"
#include "plugins/job_submit/recent.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "plugins/job_submit/wish.hpp"

namespace hora::submit {
namespace {

using Clock = std::chrono::steady_clock;

// Where words for the user go. Remarks are kept back where Hora only watches, refusals never.
class Reply {
  public:
    Reply(char** message, read::OperatingMode mode) : message_(message), mode_(mode) {}

    void refuse(const std::string& text) const {
        if (message_ != nullptr) {
            slurm::set_string(*message_, text.c_str());
        }
    }
    void remark(const std::string& text) const {
        if (mode_ != read::OperatingMode::observe) {
            refuse(text);
        }
    }

    read::OperatingMode mode() const { return mode_; }

  private:
    char** message_;
    read::OperatingMode mode_;
};

// The mode of the job's partition; of the default one as far as there is a snapshot to name it.
read::OperatingMode mode_of(const job_desc_msg_t& job, const read::Settings* settings,
                            const domain::Snapshot* snapshot) {
    if (settings == nullptr) {
        return read::OperatingMode::observe;
    }
    const std::vector<std::string> named = partitions_of(job);
    if (snapshot == nullptr) {
        return settings->mode_of(named.empty() ? std::string() : named.front());
    }
    return settings->mode_of(partition_of(named, *snapshot));
}

// Slurm has no number for "a plugin's option": this is the nearest, and the text says the rest.
int refuse(const Reply& reply, const Error& error) {
    reply.refuse("hora: " + error.message);
    slurm_info("hora: refused: %s", error.message.c_str());
    return ESLURM_INVALID_TRES;
}

std::string name_of(const job_desc_msg_t& job) {
    return job.name == nullptr ? std::string() : std::string(job.name).substr(0, 64);
}

// Options that are kept with the plan and that nothing acts on in this release.
std::string recorded_only(const domain::JobOptions& options) {
    std::string names;
    const auto add = [&names](bool is_given, const char* name) {
        names += is_given ? (names.empty() ? "" : ", ") + std::string(name) : std::string();
    };
    add(options.wants_timeline, "--hora-timeline");
    return names.empty() ? names : names + ": recorded, this release does not act on it";
}

// The user ought to know that his options did nothing.
int leave(const job_desc_msg_t& job, const Reply& reply, const std::string& why) {
    reply.remark("hora: the job is left as it is: " + why);
    slurm_info("hora: job \"%s\" passes unchanged: %s", name_of(job).c_str(), why.c_str());
    return SLURM_SUCCESS;
}

void carry_out(const Answer& answer, job_desc_msg_t& job, const Reply& reply) {
    const domain::Decision& decision = answer.verdict.decision;
    keep_token(answer.token, job);
    if (answer.mode == read::OperatingMode::act) {
        keep_contract(answer.contract, job);
        if (decision.has_plan) {
            apply(answer.verdict.rewrite, job);
        }
    }
    reply.remark(notice_of(decision));
    slurm_info("hora: %s", log_line(decision, name_of(job)).c_str());
}

void check_budget(Clock::time_point start, Seconds budget, const std::string& job) {
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (taken.count() > budget.count()) {
        slurm_info("hora: planning job \"%s\" took %.1f ms, over submit.budget of %.1f ms",
                   job.c_str(), taken.count() * 1e3, budget.count() * 1e3);
    }
}

Patience patience_of(const domain::JobOptions& options, const read::Settings& settings) {
    return options.wait ? Patience{.wait = *options.wait, .is_owners = true}
                        : Patience{.wait = settings.get<Seconds>("placement.wait")};
}

std::string and_also(std::string remarks, const std::string& more) {
    remarks += (remarks.empty() || more.empty() ? "" : "; ") + more;
    return remarks;
}

std::shared_ptr<const Answer> decide_anew(const Question& question,
                                          const domain::JobOptions& options,
                                          const domain::Workload& workload) {
    const read::Settings& settings = *question.settings;
    Answer answer;
    answer.verdict =
        decide(question.submission, plan::request_of(options, workload, settings),
               *question.snapshot, {.now = std::time(nullptr), .version = slurm::this_version},
               patience_of(options, settings));
    domain::Decision& decision = answer.verdict.decision;
    answer.mode = settings.mode_of(decision.partition);
    decision.operating = read::name_of(answer.mode);
    answer.contract = contract_of(question.submission, options, settings);
    decision.options = typed_options(question.submission, answer.contract);
    decision.remark =
        and_also(and_also(decision.remark, answer.contract.remark), recorded_only(options));
    if (answer.contract.is_elastic) {
        leave_mode_open(answer.verdict.rewrite);
    }
    answer.token = report::to_token(decision);
    return std::make_shared<const Answer>(std::move(answer));
}

// The contract of a job is kept whether there is a plan for it or not. Returns what the user ought
// to know.
std::string keep_without_plan(const Question& question, const domain::JobOptions& options,
                              job_desc_msg_t& job, read::OperatingMode mode) {
    std::string remarks;
    if (question.settings) {
        const Contract contract = contract_of(question.submission, options, *question.settings);
        if (mode == read::OperatingMode::act) {
            keep_contract(contract, job);
        }
        remarks = contract.remark;
    }
    return and_also(remarks, recorded_only(options));
}

// What the options and the workload make of it: an answer, or what is to be returned without one.
int plan_and_carry_out(Site& site, const std::shared_ptr<const Question>& asked,
                       job_desc_msg_t& job, const Reply& reply) {
    const Question& question = *asked;
    const auto options = options_of(question.submission);
    if (!options) {
        return refuse(reply, options.error());
    }
    if (options->is_off) {
        return SLURM_SUCCESS;
    }
    const std::string kept = keep_without_plan(question, *options, job, reply.mode());
    if (!options->model) {
        if (!kept.empty()) {
            reply.remark("hora: " + kept);
        }
        return SLURM_SUCCESS;
    }
    if (!options->batch) {
        return leave(job, reply, and_also("--hora-batch (the samples of a step) is missing", kept));
    }
    const auto workload = workload_of(question.submission, *options);
    if (!workload) {
        return refuse(reply, workload.error());
    }
    if (!*workload) {
        return leave(job, reply,
                     and_also("nothing came along of model \"" + *options->model + "\"", kept));
    }
    // Whoever noticed the absence has logged it.
    if (!question.settings || !question.snapshot) {
        return SLURM_SUCCESS;
    }
    const auto answer = decide_anew(question, *options, **workload);
    carry_out(*answer, job, reply);
    site.recent().keep(asked, answer);
    return SLURM_SUCCESS;
}

}  // namespace

int handle(Site& site, job_desc_msg_t& job, std::uint32_t uid, char** message) {
    if (!names_hora(job)) {
        return SLURM_SUCCESS;
    }
    const auto start = Clock::now();
    const auto settings = site.settings();
    const slurm::SharedSnapshot snapshot = site.snapshot();
    const Reply reply(message, mode_of(job, settings.get(), snapshot.get()));
    auto submission = read_submission(job, uid);
    if (!submission) {
        return leave(job, reply, submission.error().message);
    }
    const auto question =
        std::make_shared<const Question>(Question{std::move(*submission), settings, snapshot});
    if (const auto known = site.recent().find(*question)) {
        carry_out(*known, job, reply);
        return SLURM_SUCCESS;
    }
    const int result = plan_and_carry_out(site, question, job, reply);
    if (settings) {
        check_budget(start, settings->get<Seconds>("submit.budget"), name_of(job));
    }
    return result;
}

}  // namespace hora::submit
