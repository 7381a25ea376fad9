// Does `hora plan --partition NAME` give the answer that a submission with the same options gets?
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/request/decide.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "scripts/hora/plan/submission_options.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/request/scene.hpp"

namespace hora::submit {
namespace {

template <class... Word>
std::string one_of(Word... word) {
    return *rc::gen::element(std::string(word)...);
}

struct Asked {
    std::map<std::string, std::string> job{{"hora-model", one_of("resnet18", "vgg16")},
                                           {"hora-batch", one_of("32", "64", "1000")},
                                           {"hora-gpus", one_of("", "1", "2-8", "3-5", "24")},
                                           {"hora-sizes", one_of("", "powers", "nodes")},
                                           {"hora-objective", one_of("", "efficiency")},
                                           {"hora-accepts", one_of("", "hierarchy")},
                                           {"hora-wait", one_of("", "0", "30")}};
    scripts::SubmissionOptions site{.partition = one_of("", "p", "q", "closed"),
                                    .qos = one_of("", "normal", "short"),
                                    .account = one_of("", "lab", "other"),
                                    .user = one_of("", "ann"),
                                    .constraint = one_of("", "titanx", "gpu&k80", "titanx|k80"),
                                    .nodes = {},
                                    .time = one_of("", "0:30", "60", "1-12:30:00", "UNLIMITED")};
};

std::optional<std::uint32_t> any_count(std::uint32_t least, std::uint32_t most) {
    const auto count = *rc::gen::inRange<std::uint32_t>(least, most + 1);
    return *rc::gen::arbitrary<bool>() ? std::optional(count) : std::nullopt;
}

domain::Caps any_caps() {
    domain::Caps caps;
    caps.gpus = any_count(0, 20);
    caps.nodes = any_count(0, 6);
    caps.cpus = any_count(0, 40);
    return caps;
}

domain::Snapshot any_snapshot() {
    domain::Snapshot snapshot = request::small_cluster();
    for (domain::Gpu& gpu : snapshot.cluster.gpus) {
        gpu.is_free = *rc::gen::inRange(0, 3) > 0;
    }
    for (domain::NodeState& state : snapshot.states) {
        state.free_cpus = *rc::gen::inRange<std::uint32_t>(0, 9);
        state.is_usable = *rc::gen::inRange(0, 6) > 0;
    }
    snapshot.partitions[1].is_up = *rc::gen::arbitrary<bool>();
    for (const char* qos : {"normal", "short"}) {
        domain::Allowance allowance;
        allowance.qos = qos;
        allowance.per_job = any_caps();
        allowance.left = any_caps();
        snapshot.allowances.push_back(allowance);
    }
    domain::Allowance lab;
    lab.account = "lab";
    lab.left = any_caps();
    snapshot.allowances.push_back(lab);
    return snapshot;
}

char* text_of(const std::string& text) {
    return text.empty() ? nullptr : daemon_string(text.c_str());
}

// As sbatch sends them.
void fill(Job& message, const Asked& asked, std::uint32_t minutes) {
    std::vector<std::string> options;
    for (const auto& [name, value] : asked.job) {
        if (!value.empty()) {
            std::string option = name;
            std::replace(option.begin(), option.end(), '-', '_');
            options.push_back("_SLURM_SPANK_OPTION_hora_" + option + "=" + value);
        }
    }
    message.spank(options);
    message->script = daemon_string("#!/bin/sh\n");
    message->het_job_offset = NO_VAL;
    message->requeue = NO_VAL16;
    message->partition = text_of(asked.site.partition);
    message->qos = text_of(asked.site.qos);
    message->account = text_of(asked.site.account);
    message->features = text_of(asked.site.constraint);
    message->min_cpus = asked.site.nodes.value_or(1);
    if (asked.site.nodes) {
        message->min_nodes = message->max_nodes = *asked.site.nodes;
    }
    if (minutes > 0) {
        message->time_limit = minutes;
    }
}

RC_GTEST_PROP(SameAnswer, ThePlanOfTheCommandIsThatOfTheSubmission, ()) {
    Asked asked;
    asked.site.nodes = any_count(1, 3);
    const domain::Snapshot snapshot = any_snapshot();
    const auto settings = read::read_settings(
        "mode = \"" + one_of("observe", "advise", "act") + "\"\n[partition.q]\nmode = \"act\"\n",
        "hora.toml");
    const std::map<std::string, std::uint32_t> minutes{
        {"", 0}, {"0:30", 1}, {"60", 60}, {"1-12:30:00", 2190}, {"UNLIMITED", INFINITE}};
    Job message;
    fill(message, asked, minutes.at(asked.site.time));
    const auto submitted = read_submission(*message, 1000);
    const auto planned = scripts::submission_of(asked.site, asked.job, 1000, snapshot);
    RC_ASSERT(submitted.has_value());
    RC_ASSERT(planned.has_value());
    RC_ASSERT(*submitted == *planned);
    const auto answer = [&](const request::Submission& submission) {
        return request::decide(
            {.submission = submission, .settings = &*settings, .snapshot = &snapshot},
            request::debian12);
    };
    const request::Answer own = answer(*submitted);
    const request::Answer other = answer(*planned);
    RC_CLASSIFY(own.decision && own.decision->has_plan, "planned");
    RC_CLASSIFY(own.refusal.has_value(), "refused");
    RC_ASSERT(own.refusal.has_value() == other.refusal.has_value());
    RC_ASSERT(own.decision.has_value() == other.decision.has_value());
    if (own.decision) {
        RC_ASSERT(report::to_token(*own.decision) == report::to_token(*other.decision));
    }
    RC_ASSERT(own.remark == other.remark);
}

TEST(SameAnswer, AUserWhomTheSnapshotDoesNotNameIsAnError) {
    scripts::SubmissionOptions options;
    options.user = "nobody";
    const auto planned = scripts::submission_of(options, {}, 1000, request::small_cluster());
    ASSERT_FALSE(planned);
    EXPECT_EQ(planned.error().message, "--user: the snapshot knows no user \"nobody\"");
}

}  // namespace
}  // namespace hora::submit
