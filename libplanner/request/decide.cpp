// What becomes of a submission? Settings: "mode", "submit.without_plan", "placement.wait" and what
// plans are made by.
#include "libplanner/request/decide.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "libplanner/plan/request.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/request/contradiction.hpp"
#include "libplanner/request/scope/partition.hpp"
#include "libplanner/request/stated_options.hpp"
#include "libplanner/request/without_plan.hpp"

namespace hora::request {
namespace {

using read::OperatingMode;

Answer refused(Error error) {
    Answer answer;
    answer.refusal = std::move(error);
    return answer;
}

std::string and_also(std::string remarks, const std::string& more) {
    remarks += (remarks.empty() || more.empty() ? "" : "; ") + more;
    return remarks;
}

// Everything that follows from the request before the cluster is looked at.
struct Case {
    const Question& question;
    const Moment& moment;
    std::optional<OperatingMode> mode;
    domain::JobOptions options;
    Contract contract;

    bool acts() const { return mode == OperatingMode::act; }
    // What an installation in the mode observe was never set to change stays unchanged; one that
    // acted may not lose its jobs' GPUs when its settings break.
    bool acts_without_plan() const { return !mode || acts(); }
    // What the user ought to know, plan or not.
    std::string remarks() const { return contract.remark; }
};

// The parts of a heterogeneous job have the first one's options; in observe none is refused that
// ran before.
bool is_checked_for_contradictions(const Case& job) {
    return !job.question.submission.is_heterogeneous && job.mode != OperatingMode::observe;
}

Expected<Case> read_case(const Question& question, const Moment& moment) {
    const Submission& submission = question.submission;
    auto options = options_of(submission);
    if (!options) {
        return unexpected(options.error());
    }
    Case job{.question = question,
             .moment = moment,
             .mode = mode_of(submission.partitions, question.settings, question.snapshot),
             .options = std::move(*options),
             .contract = {}};
    if (job.options.is_off) {
        return job;
    }
    if (is_checked_for_contradictions(job)) {
        if (const auto agreed = check_contradictions(submission, job.options); !agreed) {
            return unexpected(agreed.error());
        }
    }
    if (question.settings != nullptr) {
        job.contract = contract_of(submission, job.options, *question.settings);
    }
    return job;
}

// The contract of a job is kept whether there is a plan for it or not.
Answer answer_to(const Case& job) {
    Answer answer;
    if (job.acts()) {
        answer.contract = job.contract;
    }
    return answer;
}

constexpr const char* no_model = "--hora-model (what is trained) is missing";

// Options that say nothing but how to plan; the batch, mode and launch reach the program without.
std::string ignored_without_model(const domain::JobOptions& options) {
    const std::pair<bool, std::string_view> all[] = {
        {options.noise_scale.has_value(), "noise-scale"},
        {options.samples.has_value(), "samples"},
        {options.epochs.has_value(), "epochs"},
        {options.sizes.kind != domain::SizeRule::Kind::any, "sizes"},
        {options.data_type.has_value(), "dtype"},
        {options.accepts_balanced || options.accepts_async || options.accepts_sampling ||
             options.accepts_hierarchy,
         "accepts"},
        {options.objective.has_value(), "objective"},
        {options.wait.has_value(), "wait"}};
    std::string names;
    std::size_t count = 0;
    for (const auto& [is_given, name] : all) {
        if (is_given) {
            names += fmt::format("{}--hora-{}", count++ == 0 ? "" : ", ", name);
        }
    }
    return count == 0
               ? names
               : fmt::format("{} {} ignored: {}", names, count == 1 ? "is" : "are", no_model);
}

// What keeps the job from being planned at all; empty where nothing does.
std::string why_unplannable(const Case& job, bool has_workload) {
    if (!job.options.model) {
        return no_model;
    }
    if (!job.options.batch) {
        return "--hora-batch (the samples of a step) is missing";
    }
    if (!has_workload) {
        return "nothing came along of model " + read::quoted(*job.options.model);
    }
    if (job.question.settings == nullptr) {
        return "the site's settings cannot be read (slurmctld's log says why)";
    }
    return job.question.snapshot != nullptr
               ? ""
               : "there is no fresh snapshot of the cluster (is horad running?)";
}

// Every job that Hora was to plan and has no plan for comes through here.
Answer go_without_plan(const Case& job, domain::Decision decision, const std::string& why) {
    const Submission& submission = job.question.submission;
    const auto rule = job.question.settings != nullptr
                          ? job.question.settings->get<read::WithoutPlan>("submit.without_plan")
                          : read::WithoutPlan::smallest;
    Unplanned unplanned =
        without_plan(submission, job.options, rule, job.acts_without_plan(), why, job.moment.spell);
    decision.changes = changes_of(unplanned.rewrite, submission);
    const bool is_refused = unplanned.kind == Unplanned::Kind::refused;
    Answer answer = is_refused ? refused(Error{unplanned.text}) : answer_to(job);
    answer.decision = std::move(decision);
    answer.rewrite = std::move(unplanned.rewrite);
    if (job.options.max_batch) {
        leave_batch_open(answer.rewrite);
    }
    answer.remark = std::move(unplanned.text);
    return answer;
}

// `hora explain` says of a job that was never planned as well what was done and why.
Answer leave_unplanned(const Case& job, const std::string& cause) {
    const Submission& submission = job.question.submission;
    const std::string why = and_also(cause, job.remarks());
    domain::Decision decision;
    decision.operating = read::name_of(job.mode.value_or(OperatingMode::act));
    if (job.question.settings != nullptr) {
        decision.options = typed_options(submission, job.contract);
    }
    decision.partition = submission.partitions.empty() ? "" : submission.partitions.front();
    decision.remark = why;
    decision.submitted = submission.submitted;
    return go_without_plan(job, std::move(decision), why);
}

WaitRule wait_rule_of(const domain::JobOptions& options, const read::Settings& settings) {
    return options.wait ? WaitRule{.wait = *options.wait, .is_owners = true}
                        : WaitRule{.wait = settings.get<Seconds>("placement.wait")};
}

Answer plan_and_answer(const Case& job, const domain::Workload& workload, plan::SearchLimit limit) {
    const Submission& submission = job.question.submission;
    const read::Settings& settings = *job.question.settings;
    Planned planned = plan_request(submission, plan::request_of(job.options, workload, settings),
                                   *job.question.snapshot, job.moment,
                                   wait_rule_of(job.options, settings), std::move(limit));
    domain::Decision& decision = planned.decision;
    decision.operating = read::name_of(*job.mode);
    decision.options = typed_options(submission, job.contract);
    decision.remark = and_also(decision.remark, job.remarks());
    if (!decision.has_plan) {
        const std::string why = why_no_plan(decision);
        Answer answer = go_without_plan(job, std::move(decision), why);
        answer.plan = std::move(planned.plan);
        return answer;
    }
    Answer answer = answer_to(job);
    if (job.acts()) {
        answer.rewrite = std::move(planned.rewrite);
    }
    if (job.acts() && job.contract.is_elastic) {
        leave_mode_open(answer.rewrite);
    }
    if (job.options.max_batch) {
        leave_batch_open(answer.rewrite);
    }
    answer.decision = std::move(decision);
    answer.plan = std::move(planned.plan);
    return answer;
}

}  // namespace

std::optional<OperatingMode> mode_of(const std::vector<std::string>& partitions,
                                     const read::Settings* settings,
                                     const domain::Snapshot* snapshot) {
    if (settings == nullptr) {
        return std::nullopt;
    }
    if (snapshot != nullptr) {
        return settings->mode_of(partition_of(partitions, *snapshot));
    }
    return settings->mode_of(partitions.empty() ? std::string() : partitions.front());
}

Answer decide(const Question& question, const Moment& moment, plan::SearchLimit limit) {
    const auto job = read_case(question, moment);
    if (!job) {
        return refused(job.error());
    }
    if (job->options.is_off) {
        return {};
    }
    std::optional<domain::Workload> own;
    if (question.workload == nullptr) {
        auto read = workload_of(question.submission, job->options);
        if (!read) {
            return refused(read.error());
        }
        own = std::move(*read);
    }
    const domain::Workload* const workload = own ? &*own : question.workload;
    if (!job->options.model && !job->options.gpus) {
        Answer answer = answer_to(*job);
        answer.remark = and_also(job->remarks(), ignored_without_model(job->options));
        return answer;
    }
    if (const std::string why = why_unplannable(*job, workload != nullptr); !why.empty()) {
        return leave_unplanned(*job, why);
    }
    return plan_and_answer(*job, *workload, std::move(limit));
}

Answer decide_without_plan(const Question& question, const Moment& moment, const std::string& why) {
    const auto job = read_case(question, moment);
    if (!job) {
        return refused(job.error());
    }
    return job->options.is_off ? Answer() : leave_unplanned(*job, why);
}

}  // namespace hora::request
