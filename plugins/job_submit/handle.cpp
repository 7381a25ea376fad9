// What happens to one submission, from its request to the answer? Setting: "submit.budget", and
// those of libplanner/request.
#include "plugins/job_submit/handle.hpp"

#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/jobs/notice.hpp"
#include "libplanner/request/decide.hpp"
#include "plugins/job_submit/apply.hpp"
#include "plugins/job_submit/log.hpp"
#include "plugins/job_submit/recent.hpp"
#include "plugins/job_submit/reply.hpp"
#include "plugins/job_submit/restart_refusal.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::submit {
namespace {

// Where words for the user go. Remarks are kept back where Hora only watches, refusals never.
class Reply {
  public:
    Reply(char** message, std::optional<read::OperatingMode> mode)
        : message_(message), mode_(mode) {}

    void remark(const std::string& text) const {
        if (mode_ != read::OperatingMode::observe) {
            tell(message_, text);
        }
    }
    // Slurm has no number for "a plugin's option": this is the nearest, and the text says the rest.
    int refuse(const Error& error) const {
        return submit::refuse(message_, error.message, ESLURM_INVALID_TRES);
    }

  private:
    char** message_;
    std::optional<read::OperatingMode> mode_;
};

// A client says when it submitted, and a plan's history is found by it: some minutes are what
// clocks differ by. Another time is as if none was said.
bool is_near(std::int64_t said, std::int64_t now) {
    constexpr std::int64_t most_apart = 600;
    return said >= now - most_apart && said <= now + most_apart;
}

std::string name_of(const job_desc_msg_t& job) {
    return read::quoted(job.name == nullptr ? "" : job.name);
}

void say(const request::Answer& answer, const job_desc_msg_t& job, const Reply& reply) {
    if (answer.decision && answer.decision->has_plan) {
        const std::string summary = report::summary_of(*answer.decision);
        reply.remark(report::notice_of(*answer.decision, summary));
        log_info(report::log_line(*answer.decision, name_of(job), summary));
        return;
    }
    if (!answer.remark.empty()) {
        reply.remark("hora: " + answer.remark);
    }
    if (answer.decision) {
        log_info("job " + name_of(job) + ": " + answer.remark);
    }
}

int carry_out(const Decided& decided, job_desc_msg_t& job, const Reply& reply) {
    const request::Answer& answer = decided.answer;
    if (answer.refusal) {
        return reply.refuse(*answer.refusal);
    }
    if (!decided.token.empty()) {
        keep_token(decided.token, job);
    }
    keep_contract(answer.contract, job);
    apply(answer.rewrite, job);
    say(answer, job, reply);
    return SLURM_SUCCESS;
}

// What this thread has computed, not what passed: that another process had the processor is no
// fault of the request, and must not cost its plan.
Seconds processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return Seconds(static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec));
}

plan::SearchLimit limit_of(const read::Settings* settings) {
    if (settings == nullptr) {
        return {};
    }
    const Seconds end = processor_time() + settings->get<Seconds>("submit.budget");
    return plan::SearchLimit([end] { return processor_time() > end; });
}

// What failed may not fail the next time, so it is not kept.
Decided decide(Site* site, const Question& question, const job_desc_msg_t& job) {
    request::Question asked{.submission = question.submission,
                            .settings = question.settings.get(),
                            .snapshot = question.snapshot.get()};
    std::shared_ptr<const domain::Workload> known;
    const request::Moment moment{.now = std::time(nullptr),
                                 .spell = slurm::gpu_spelling(slurm::this_version)};
    try {
        if (site != nullptr) {
            known = site->workloads().find(question.submission.workload);
            asked.workload = known.get();
        }
        return {.answer = request::decide(asked, moment, limit_of(asked.settings))};
    } catch (const std::exception& error) {
        log_error("planning job " + name_of(job) + ": " + error.what());
        return {.answer = request::decide_without_plan(
                    asked, moment, "planning failed (slurmctld's log says why)"),
                .token = {},
                .has_failed = true};
    }
}

// Without a site nothing is known of a horad.
std::string token_for(Site* site, const request::Answer& answer) {
    if (!answer.decision || answer.refusal) {
        return {};
    }
    return site != nullptr ? site->keep(*answer.decision, std::time(nullptr))
                           : report::to_token(*answer.decision);
}

int handle_anew(Site* site, const std::shared_ptr<const Question>& question, job_desc_msg_t& job,
                const Reply& reply) {
    const auto decided = std::make_shared<Decided>(decide(site, *question, job));
    decided->token = token_for(site, decided->answer);
    const int result = carry_out(*decided, job, reply);
    if (site != nullptr && !decided->has_failed) {
        site->recent().keep(question, decided);
    }
    return result;
}

}  // namespace

int handle(Site* site, job_desc_msg_t& job, std::uint32_t uid, char** message) {
    if (names_restarts(job)) {
        return refuse(message, restart_refusal, ESLURM_RESERVATION_ACCESS);
    }
    if (!names_hora(job)) {
        return SLURM_SUCCESS;
    }
    const auto settings = site != nullptr ? site->settings() : nullptr;
    const auto snapshot = site != nullptr ? site->snapshot() : nullptr;
    const Reply reply(message,
                      request::mode_of(partitions_of(job), settings.get(), snapshot.get()));
    if (const auto checked = check_entries(job); !checked) {
        return reply.refuse(checked.error());
    }
    auto submission = read_submission(job, uid);
    if (!submission) {
        // Such a request names resources, if in words that only Slurm may judge.
        const std::string text = "no plan; submitted unchanged: " + submission.error().message;
        reply.remark("hora: " + text);
        log_info("job " + name_of(job) + ": " + text);
        return SLURM_SUCCESS;
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
