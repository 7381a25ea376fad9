// What happens to one submission, from its request to the answer? Settings: "mode",
// "submit.budget", "submit.without_plan", "placement.wait" and what plans are made by.
#include "plugins/job_submit/handle.hpp"

#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/plan/request.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/decision_token.hpp"
#include "libplanner/report/notice.hpp"
#include "libplanner/request/contradiction.hpp"
#include "libplanner/request/planned.hpp"
#include "libplanner/request/stated_options.hpp"
#include "libplanner/request/without_plan.hpp"
#include "plugins/job_submit/apply.hpp"
#include "plugins/job_submit/log.hpp"
#include "plugins/job_submit/recent.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::submit {
namespace {

// Empty where no settings could ever be read.
using KnownMode = std::optional<read::OperatingMode>;

// Where words for the user go. Remarks are kept back where Hora only watches, refusals never.
class Reply {
  public:
    Reply(char** message, KnownMode mode) : message_(message), mode_(mode) {}

    void refuse(const std::string& text) const {
        if (message_ != nullptr) {
            const std::string shown =
                text.size() > longest ? text.substr(0, longest) + "..." : text;
            slurm::set_string(*message_, shown.c_str());
        }
    }
    void remark(const std::string& text) const {
        if (mode_ != read::OperatingMode::observe) {
            refuse(text);
        }
    }

    bool acts() const { return mode_ == read::OperatingMode::act; }
    // What an installation in the mode observe never was told to change stays unchanged; one that
    // acted may not lose its jobs' GPUs when its settings break.
    bool acts_without_plan() const { return !mode_ || acts(); }
    KnownMode mode() const { return mode_; }

  private:
    // Three lines with a constraint or a list of nodes that a person may have typed.
    static constexpr std::size_t longest = 4096;

    char** message_;
    KnownMode mode_;
};

// The mode of the job's partition; of the default one as far as there is a snapshot to name it.
KnownMode mode_of(const job_desc_msg_t& job, const read::Settings* settings,
                  const domain::Snapshot* snapshot) {
    if (settings == nullptr) {
        return std::nullopt;
    }
    const std::vector<std::string> named = partitions_of(job);
    if (snapshot == nullptr) {
        return settings->mode_of(named.empty() ? std::string() : named.front());
    }
    return settings->mode_of(request::partition_of(named, *snapshot));
}

// Slurm has no number for "a plugin's option": this is the nearest, and the text says the rest.
int refuse(const Reply& reply, const Error& error) {
    reply.refuse("hora: " + error.message);
    log_info("refused: " + error.message);
    return ESLURM_INVALID_TRES;
}

// A client says when it submitted, and a plan's history is found by it: some minutes are what
// clocks differ by. Another time is as if none was said.
bool is_near(std::int64_t said, std::int64_t now) {
    constexpr std::int64_t most_apart = 600;
    return said >= now - most_apart && said <= now + most_apart;
}

std::string name_of(const job_desc_msg_t& job) {
    return read::quoted(job.name == nullptr ? "" : job.name);
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

std::string and_also(std::string remarks, const std::string& more) {
    remarks += (remarks.empty() || more.empty() ? "" : "; ") + more;
    return remarks;
}

request::Unplanned without_plan_of(const Question& question, const domain::JobOptions& options,
                                   bool acts, const std::string& why) {
    const auto rule = question.settings
                          ? question.settings->get<read::WithoutPlan>("submit.without_plan")
                          : read::WithoutPlan::smallest;
    return without_plan(question.submission, options, rule, acts, why,
                        slurm::gpu_spelling(slurm::this_version));
}

// Every job that Hora was to plan and has no plan for comes through here.
int carry_out(const request::Unplanned& unplanned, job_desc_msg_t& job, const Reply& reply) {
    if (unplanned.kind == request::Unplanned::Kind::refused) {
        return refuse(reply, Error{unplanned.text});
    }
    apply(unplanned.rewrite, job);
    reply.remark("hora: " + unplanned.text);
    log_info("job " + name_of(job) + ": " + unplanned.text);
    return SLURM_SUCCESS;
}

int carry_out(const Answer& answer, job_desc_msg_t& job, const Reply& reply) {
    const domain::Decision& decision = answer.planned.decision;
    if (!decision.has_plan && answer.unplanned.kind == request::Unplanned::Kind::refused) {
        return carry_out(answer.unplanned, job, reply);
    }
    keep_token(answer.token, job);
    if (answer.mode == read::OperatingMode::act) {
        keep_contract(answer.contract, job);
    }
    if (!decision.has_plan) {
        return carry_out(answer.unplanned, job, reply);
    }
    if (answer.mode == read::OperatingMode::act) {
        apply(answer.planned.rewrite, job);
    }
    reply.remark(report::notice_of(decision));
    log_info(report::log_line(decision, name_of(job)));
    return SLURM_SUCCESS;
}

// What this thread has computed, not what passed: that another process had the processor is no
// fault of the request, and must not cost its plan.
Seconds processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return Seconds(static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec));
}

plan::SearchLimit limit_of(const read::Settings& settings) {
    const Seconds end = processor_time() + settings.get<Seconds>("submit.budget");
    return plan::SearchLimit([end] { return processor_time() > end; });
}

request::WaitRule wait_rule_of(const domain::JobOptions& options, const read::Settings& settings) {
    return options.wait ? request::WaitRule{.wait = *options.wait, .is_owners = true}
                        : request::WaitRule{.wait = settings.get<Seconds>("placement.wait")};
}

// Without a site nothing is known of a horad.
std::string word_for(Site* site, const domain::Decision& decision) {
    return site != nullptr ? site->keep(decision, std::time(nullptr)) : report::to_token(decision);
}

std::shared_ptr<const Answer> decide_anew(Site* site, const Question& question,
                                          const domain::JobOptions& options,
                                          const domain::Workload& workload) {
    const read::Settings& settings = *question.settings;
    Answer answer;
    answer.planned = plan_request(
        question.submission, plan::request_of(options, workload, settings), *question.snapshot,
        {.now = std::time(nullptr), .spell = slurm::gpu_spelling(slurm::this_version)},
        wait_rule_of(options, settings), limit_of(settings));
    domain::Decision& decision = answer.planned.decision;
    answer.mode = settings.mode_of(decision.partition);
    decision.operating = read::name_of(answer.mode);
    answer.contract = contract_of(question.submission, options, settings);
    decision.options = typed_options(question.submission, answer.contract);
    decision.remark =
        and_also(and_also(decision.remark, answer.contract.remark), recorded_only(options));
    if (answer.contract.is_elastic) {
        leave_mode_open(answer.planned.rewrite);
    }
    if (!decision.has_plan) {
        answer.unplanned =
            without_plan_of(question, options, answer.mode == read::OperatingMode::act,
                            request::why_no_plan(decision));
        decision.changes = changes_of(answer.unplanned.rewrite, question.submission);
    }
    if (decision.has_plan || answer.unplanned.kind != request::Unplanned::Kind::refused) {
        answer.token = word_for(site, decision);
    }
    return std::make_shared<const Answer>(std::move(answer));
}

// The contract of a job is kept whether there is a plan for it or not. Returns what the user ought
// to know.
std::string keep_without_plan(const Question& question, const domain::JobOptions& options,
                              job_desc_msg_t& job, bool acts) {
    std::string remarks;
    if (question.settings) {
        const request::Contract contract =
            contract_of(question.submission, options, *question.settings);
        if (acts) {
            keep_contract(contract, job);
        }
        remarks = contract.remark;
    }
    return and_also(remarks, recorded_only(options));
}

// What keeps the job from being planned at all; empty where nothing does.
std::string why_unplannable(const Question& question, const domain::JobOptions& options,
                            const std::optional<domain::Workload>& workload) {
    if (!options.model) {
        return "--hora-model (what is trained) is missing";
    }
    if (!options.batch) {
        return "--hora-batch (the samples of a step) is missing";
    }
    if (!workload) {
        return "nothing came along of model " + read::quoted(*options.model);
    }
    if (!question.settings) {
        return "the site's settings cannot be read (slurmctld's log says why)";
    }
    return question.snapshot ? "" : "there is no fresh snapshot of the cluster (is horad running?)";
}

// `hora explain` says of such a job as well what was done and why.
std::string word_of(Site* site, const Question& question, const domain::JobOptions& options,
                    const request::Unplanned& unplanned, KnownMode mode, const std::string& why) {
    const request::Submission& submission = question.submission;
    domain::Decision decision;
    decision.operating = read::name_of(mode.value_or(read::OperatingMode::act));
    if (question.settings) {
        decision.options =
            typed_options(submission, contract_of(submission, options, *question.settings));
    }
    decision.partition = submission.partitions.empty() ? "" : submission.partitions.front();
    decision.changes = changes_of(unplanned.rewrite, submission);
    decision.remark = why;
    decision.submitted = submission.submitted;
    return word_for(site, decision);
}

int go_without_plan(Site* site, const Question& question, const domain::JobOptions& options,
                    const std::string& why, job_desc_msg_t& job, const Reply& reply) {
    const request::Unplanned unplanned =
        without_plan_of(question, options, reply.acts_without_plan(), why);
    if (unplanned.kind != request::Unplanned::Kind::refused) {
        keep_token(word_of(site, question, options, unplanned, reply.mode(), why), job);
    }
    return carry_out(unplanned, job, reply);
}

// What the options and the workload make of it.
int plan_and_carry_out(Site* site, const std::shared_ptr<const Question>& asked,
                       const domain::JobOptions& options, job_desc_msg_t& job, const Reply& reply) {
    const Question& question = *asked;
    const auto workload = workload_of(question.submission, options);
    if (!workload) {
        return refuse(reply, workload.error());
    }
    const std::string kept = keep_without_plan(question, options, job, reply.acts());
    if (!options.model && !options.gpus) {
        if (!kept.empty()) {
            reply.remark("hora: " + kept);
        }
        return SLURM_SUCCESS;
    }
    if (const std::string why = why_unplannable(question, options, *workload); !why.empty()) {
        return go_without_plan(site, question, options, and_also(why, kept), job, reply);
    }
    const auto answer = decide_anew(site, question, options, **workload);
    const int result = carry_out(*answer, job, reply);
    if (site != nullptr) {
        site->recent().keep(asked, answer);
    }
    return result;
}

int handle_anew(Site* site, const std::shared_ptr<const Question>& question, job_desc_msg_t& job,
                const Reply& reply) {
    const auto options = request::options_of(question->submission);
    if (!options) {
        return refuse(reply, options.error());
    }
    if (options->is_off) {
        return SLURM_SUCCESS;
    }
    // The parts of a heterogeneous job have the first one's options; in observe none is refused
    // that ran before.
    if (!question->submission.is_heterogeneous && reply.mode() != read::OperatingMode::observe) {
        if (const auto agreed = check_contradictions(question->submission, *options); !agreed) {
            return refuse(reply, agreed.error());
        }
    }
    try {
        return plan_and_carry_out(site, question, *options, job, reply);
    } catch (const std::exception& error) {
        log_error("planning job " + name_of(job) + ": " + error.what());
        return go_without_plan(site, *question, *options,
                               "planning failed (slurmctld's log says why)", job, reply);
    }
}

}  // namespace

int handle(Site* site, job_desc_msg_t& job, std::uint32_t uid, char** message) {
    if (!names_hora(job)) {
        return SLURM_SUCCESS;
    }
    const auto settings = site != nullptr ? site->settings() : nullptr;
    const auto snapshot = site != nullptr ? site->snapshot() : nullptr;
    const Reply reply(message, mode_of(job, settings.get(), snapshot.get()));
    if (const auto checked = check_entries(job); !checked) {
        return refuse(reply, checked.error());
    }
    auto submission = read_submission(job, uid);
    if (!submission) {
        // Such a request names resources, if in words that only Slurm may judge.
        return carry_out(request::Unplanned{.text = "no plan; submitted unchanged: " +
                                                    submission.error().message},
                         job, reply);
    }
    if (!is_near(submission->submitted, std::time(nullptr))) {
        submission->submitted = 0;
    }
    const auto question =
        std::make_shared<const Question>(Question{std::move(*submission), settings, snapshot});
    if (const auto known = site != nullptr ? site->recent().find(*question) : nullptr) {
        return carry_out(*known, job, reply);
    }
    return handle_anew(site, question, job, reply);
}

}  // namespace hora::submit
