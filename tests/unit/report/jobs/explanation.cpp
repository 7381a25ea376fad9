// Does `hora explain` print what stands in tests/golden/explain? UPDATE_GOLDEN=1 rewrites it.
#include "libplanner/report/jobs/explanation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/report/golden.hpp"
#include "tests/unit/report/some_rescales.hpp"

namespace hora::report {
namespace {

ExplainedJob planned() {
    ExplainedJob job{.id = "12",
                     .name = "train",
                     .state = "PENDING",
                     .decision = {},
                     .measured = {},
                     .is_freed = false,
                     .rescales = {}};
    domain::Decision& decision = job.decision;
    decision.operating = "act";
    decision.options = {{"hora-model", "resnet50"}, {"hora-batch", "64"}, {"hora-elastic", ""}};
    decision.partition = "main";
    decision.has_plan = true;
    decision.mode = domain::Mode::sync;
    decision.waits = true;
    decision.gpus = 8;
    decision.nodes = 2;
    decision.where = "n[1-2]";
    decision.seconds = Seconds(5400);
    decision.step_seconds = Seconds(0.25);
    decision.breakdown = {Seconds(0.2), Seconds(0.05), Seconds(3)};
    decision.uses = {{"titanx", FlopRate(10e12), domain::Bound::compute},
                     {"k80", FlopRate(2.5e12), domain::Bound::memory}};
    decision.placement = {.promise = domain::Promise::guaranteed,
                          .what = "each node's 4 GPUs on 2 switches, all of each",
                          .is_enforced = true,
                          .is_free = false,
                          .wait = Seconds(600),
                          .relaxed = 0};
    decision.rejected = {
        {domain::Mode::independent, 1, "1 x titanx", Seconds(20000), "3.7 times as long"},
        {domain::Mode::sync, 16, "", std::nullopt, "over --hora-gpus: 16 > 8"}};
    decision.changes = {{"num_tasks", "", "8"}, {"features", "gpu", "gpu&titanx"}};
    decision.snapshot = 1'700'000'000;
    return job;
}

MeasuredSize measured_at(std::uint32_t gpus, Seconds step) {
    return {.model = "resnet50",
            .device = "k80",
            .gpus = gpus,
            .nodes = 1,
            .runs = 1,
            .steps = 100,
            .predicted = {},
            .measured = step,
            .error = {}};
}

ExplainedJob finished() {
    ExplainedJob job = planned();
    job.state = "COMPLETED";
    job.decision.waits = false;
    job.decision.gpus_if_idle = 16;
    job.decision.placement.relaxed = 1'700'000'900;
    job.measured = cost::Measured{
        .steps = 100, .samples = 6400, .spent = Seconds(30), .step_seconds = Seconds(0.3)};
    job.decision.lateness = domain::Lateness{.waiting = Seconds(0.05), .bypassed = Seconds(0.02)};
    job.sizes = {measured_at(8, Seconds(0.3))};
    job.sizes[0].late = Seconds(0.045);
    return job;
}

ExplainedJob resized() {
    ExplainedJob job = finished();
    job.sizes = {measured_at(2, Seconds(0.4)), measured_at(4, Seconds(0.25))};
    job.sizes[1].late = Seconds(0.03);
    job.state = "RUNNING";
    job.held = domain::StatusHold{4, 2, "on fewer it would not end within its time limit"};
    job.stays = "has all of the 4 GPUs that it may have";
    job.rescales = {
        measured_rescale(),
        bare_rescale(1, {.from = 4, .requested = 2, .to = 4}, "job 13 waits", "no checkpoint",
                     "no checkpoint in time; the job runs on", 1'700'000'700),
        bare_rescale(1, {.from = 4, .requested = 1, .to = 3}, "job 13 waits", "other size",
                     "it got 3 GPUs", 1'700'000'750),
        bare_rescale(2, {.from = 3, .requested = 1, .to = 3}, "job 13 waits", "", "",
                     1'700'000'800)};
    return job;
}

ExplainedJob replanned() {
    ExplainedJob job = planned();
    job.decision.replanned = {.when = 1'700'000'600,
                              .times = 2,
                              .from = "8 x titanx on n[3-4], 1 h 30 min",
                              .why = "no usable nodes can give it any more"};
    return job;
}

ExplainedJob somebody_elses() {
    ExplainedJob job = planned();
    job.state = "RUNNING";
    job.is_withheld = true;
    return job;
}

ExplainedJob left_alone() {
    ExplainedJob job = planned();
    job.state = "CANCELLED by 0";
    job.decision = {};
    job.decision.operating = "observe";
    job.decision.options = {{"hora-model", "an \"odd\" one"}};
    job.decision.partition = "main";
    job.decision.remark = "no plan fits in partition \"main\"";
    return job;
}

struct Case {
    const char* file;
    ExplainedJob job;
};

class Explanation : public ::testing::TestWithParam<Case> {};

TEST_P(Explanation, PrintsWhatItPrinted) {
    const std::string name = GetParam().file;
    hora::testing::expect_golden("explain/" + name + ".txt", to_text(GetParam().job));
    hora::testing::expect_golden("explain/" + name + ".json", to_json(GetParam().job));
}

INSTANTIATE_TEST_SUITE_P(Golden, Explanation,
                         ::testing::Values(Case{"waiting", planned()}, Case{"finished", finished()},
                                           Case{"resized", resized()},
                                           Case{"replanned", replanned()},
                                           Case{"left_alone", left_alone()},
                                           Case{"somebody_elses", somebody_elses()}),
                         [](const auto& test) { return std::string(test.param.file); });

// The job's owner chooses its name and what it asks Slurm for, and another reads it.
TEST(Explanation, NoWordOfTheOwnersBeginsALineOrMovesTheCursor) {
    ExplainedJob job = planned();
    job.name = "a\", RUNNING\nplan        none\x1b[2J";
    job.decision.changes = {{"features", "gpu\nremark      done\xc2\x9b", "\x1b]0;x\x07"}};
    const std::string text = to_text(job);
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "job 12      \"a\", RUNNING plan        none [2J\", PENDING");
    EXPECT_EQ(text.find("\nplan        none"), text.npos);
    EXPECT_NE(text.find("  features: gpu remark      done  ->  ]0;x \n"), text.npos) << text;
    EXPECT_EQ(text.find('\x1b'), text.npos);
}

}  // namespace
}  // namespace hora::report
