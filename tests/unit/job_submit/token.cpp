#include <gtest/gtest.h>

#include <string>

#include "libplanner/read/decision_token.hpp"
#include "libplanner/report/decision_token.hpp"
#include "libplanner/report/explanation.hpp"

namespace hora::submit {
namespace {

domain::Decision decision() {
    domain::Decision decision;
    decision.operating = "act";
    decision.options = {{"hora-model", "resnet50"}, {"hora-batch", "64"}};
    decision.partition = "p";
    decision.has_plan = true;
    decision.mode = domain::Mode::sync;
    decision.gpus = 8;
    decision.nodes = 2;
    decision.where = "n[1-2]";
    decision.seconds = Seconds(60);
    decision.step_seconds = Seconds(0.25);
    decision.breakdown = {Seconds(0.2), Seconds(0.05), Seconds(0)};
    decision.uses = {{"titanx", FlopRate(10e12), domain::Bound::compute}};
    decision.rejected = {
        {domain::Mode::independent, 1, "1 x titanx on n1", Seconds(300), "5.0 times as long"}};
    decision.changes = {{"num_tasks", "", "8"}};
    return decision;
}

TEST(Token, IsOneWordAndComesBackTheSame) {
    domain::Decision written = decision();
    written.remark = "a \"quoted\\ remark\n";
    const std::string token = report::to_token(written);
    EXPECT_EQ(token.find_first_of(" \t\n\\"), std::string::npos) << token;
    const auto read = read::find_decision("site=x " + token + " note");
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->mode, domain::Mode::sync);
    EXPECT_EQ((*read)->where, "n[1-2]");
    EXPECT_EQ((*read)->rejected.front().where, "1 x titanx on n1");
    EXPECT_EQ((*read)->changes, written.changes);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KeepsWhatWasDoneForThePlaces) {
    domain::Decision written = decision();
    written.placement = {.promise = domain::Promise::guaranteed,
                         .what = "each node's 2 GPUs on one switch",
                         .is_enforced = true,
                         .is_free = false,
                         .wait = Seconds(90),
                         .relaxed = 1'700'000'000};
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->placement, written.placement);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KeepsThatItWasMadeAnew) {
    domain::Decision written = decision();
    written.replanned = {.when = 1'700'000'000,
                         .times = 3,
                         .from = "8 x titanx on n[1-2]",
                         .why = "no usable nodes can give it any more"};
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->replanned, written.replanned);
    EXPECT_EQ(report::to_token(**read), token);
    EXPECT_EQ(report::to_token(decision()).find("replanned"), std::string::npos);
}

TEST(Token, OfAnEarlierReleaseSaysNothingOfPlaces) {
    const std::string token = report::to_token(decision());
    EXPECT_EQ(token.find("placement"), std::string::npos);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->placement, domain::Placement());
}

TEST(Token, StaysWithinItsBound) {
    domain::Decision huge = decision();
    huge.rejected.assign(500, huge.rejected.front());
    huge.changes.assign(500, huge.changes.front());
    EXPECT_LE(report::to_token(huge).size(), report::longest_token);
}

TEST(Token, RefusesWhatIsTornAndPassesOverWhatIsNotOurs) {
    EXPECT_FALSE(read::find_decision("hora={\"version\":1").has_value());
    EXPECT_FALSE(read::find_decision("hora={\"version\":2}").has_value());
    const auto none = read::find_decision("xhora={} note");
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->has_value());
}

TEST(Explanation, PutsPredictionBesideMeasurement) {
    const report::ExplainedJob job{
        .id = "12",
        .name = "train",
        .state = "RUNNING",
        .decision = decision(),
        .measured =
            cost::Measured{
                .steps = 100, .samples = 6400, .spent = Seconds(30), .step_seconds = Seconds(0.3)},
        .is_freed = false,
        .rescales = {}};
    const std::string text = report::to_text(job);
    EXPECT_NE(text.find("plan        8 x titanx on n[1-2], sync: 250 ms a step, 1 min in all"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("measured    300 ms a step over 100 steps, 30 s so far; predicted 250 ms "
                        "(+20 %)"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace hora::submit
