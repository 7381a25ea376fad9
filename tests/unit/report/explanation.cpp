// Does `hora explain` print what stands in tests/golden/explain? UPDATE_GOLDEN=1 rewrites it.
#include "libplanner/report/explanation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace hora::report {
namespace {

ExplainedJob planned() {
    ExplainedJob job{.id = "12",
                     .name = "train",
                     .state = "PENDING",
                     .decision = {},
                     .measured = {},
                     .is_freed = false};
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

ExplainedJob finished() {
    ExplainedJob job = planned();
    job.state = "COMPLETED";
    job.decision.waits = false;
    job.decision.placement.relaxed = 1'700'000'900;
    job.measured = cost::Measured{
        .steps = 100, .samples = 6400, .spent = Seconds(30), .step_seconds = Seconds(0.3)};
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

class Explanation : public testing::TestWithParam<Case> {};

void expect_golden(const std::string& file, const std::string& printed) {
    const char* source = std::getenv("srcdir");
    const std::string path =
        std::string(source != nullptr ? source : ".") + "/tests/golden/explain/" + file;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
        std::ofstream(path) << printed;
        return;
    }
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    EXPECT_EQ(printed, golden.str()) << path << ": if this is right: make update-golden";
}

TEST_P(Explanation, PrintsWhatItPrinted) {
    const std::string name = GetParam().file;
    expect_golden(name + ".txt", to_text(GetParam().job));
    expect_golden(name + ".json", to_json(GetParam().job));
}

INSTANTIATE_TEST_SUITE_P(Golden, Explanation,
                         testing::Values(Case{"waiting", planned()}, Case{"finished", finished()},
                                         Case{"left_alone", left_alone()}),
                         [](const auto& test) { return std::string(test.param.file); });

}  // namespace
}  // namespace hora::report
