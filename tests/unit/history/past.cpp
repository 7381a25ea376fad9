// Does a command see of the daemon's history what it asked for?
#include "scripts/hora/history/past.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "scripts/history/database.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

class Past : public ::testing::Test {
  protected:
    void SetUp() override {
        path_ = folder_.file("history.db");
        ::setenv("HORA_CONF", "/dev/null", 1);
        ::setenv("HORA_CONF_HISTORY_PATH", path_.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("HORA_CONF");
        ::unsetenv("HORA_CONF_HISTORY_PATH");
    }

    static history::Sample sample(std::uint64_t job, const char* model, std::int64_t when) {
        history::Sample made;
        made.of = {.job = job, .submitted = 1700000000, .restarts = 1};
        made.model = model;
        made.device = "titanx";
        made.gpus = 2;
        made.predicted_compute = Seconds(0.25);
        made.predicted_exchange = Seconds(0.125);
        made.step = Seconds(0.5);
        made.steps = 100;
        made.when = when;
        made.late = Seconds(0.0625);
        return made;
    }

    static history::Rescale rescale(std::uint64_t job) {
        history::Rescale made;
        made.of = {.job = job, .submitted = 1700000000, .restarts = 0};
        made.from = 1;
        made.requested = 3;
        made.to = 2;
        made.remark = "it got 2 GPUs";
        made.asked = 1700000100;
        made.lost = Seconds(4);
        return made;
    }

    void fill() const {
        auto database = history::Database::open(path_, history::Access::write);
        ASSERT_TRUE(database.has_value()) << database.error().message;
        ASSERT_TRUE(database
                        ->record(std::vector{sample(12, "resnet50", 1700000200),
                                             sample(13, "vgg16", 1700000300)})
                        .has_value());
        ASSERT_TRUE(database->record(rescale(12)).has_value());
        ASSERT_TRUE(database->record(rescale(13)).has_value());
    }

    tests::ScratchFolder folder_;
    std::string path_;
};

TEST_F(Past, OfNobodyIsAnErrorThatSaysWhatToDo) {
    const auto past = read_past({});
    ASSERT_FALSE(past.has_value());
    EXPECT_NE(past.error().message.find("which horad writes"), std::string::npos);
}

TEST_F(Past, HoldsWhatTheDaemonWrote) {
    fill();
    const auto past = read_past({});
    ASSERT_TRUE(past.has_value()) << past.error().message;
    ASSERT_EQ(past->runs.size(), 2U);
    ASSERT_EQ(past->history.rescales.size(), 2U);
    ASSERT_EQ(past->history.sizes.size(), 2U);
    const report::MeasuredSize& size = past->history.sizes[0];
    EXPECT_EQ(size.model, "resnet50");
    EXPECT_EQ(size.predicted, Seconds(0.375));
    EXPECT_EQ(size.measured, Seconds(0.5));
    EXPECT_EQ(size.late, Seconds(0.0625));
    const report::Rescale& rescale = past->history.rescales[0];
    EXPECT_EQ(rescale.lost, Seconds(4));
    EXPECT_EQ(rescale.requested, 3U);
    EXPECT_EQ(rescale.to, 2U);
    EXPECT_EQ(rescale.remark, "it got 2 GPUs");
}

TEST_F(Past, OfOneJobOrModelHoldsNoOther) {
    fill();
    for (const PastOf& of : {PastOf{.job = 12, .model = {}, .since = {}},
                             PastOf{.job = {}, .model = "resnet50", .since = {}}}) {
        const auto past = read_past(of);
        ASSERT_TRUE(past.has_value()) << past.error().message;
        ASSERT_EQ(past->runs.size(), 1U);
        EXPECT_EQ(past->runs[0].job, 12U);
        ASSERT_EQ(past->history.rescales.size(), 1U);
        EXPECT_EQ(past->history.rescales[0].job, 12U);
    }
}

TEST_F(Past, OfAModelHoldsNoRescaleOfAnotherJobWithTheSameNumber) {
    fill();
    auto database = history::Database::open(path_, history::Access::write);
    ASSERT_TRUE(database.has_value()) << database.error().message;
    history::Rescale of_other = rescale(12);
    of_other.of.submitted += 1000;
    ASSERT_TRUE(database->record(of_other).has_value());
    const auto past = read_past({.job = {}, .model = "resnet50", .since = {}});
    ASSERT_TRUE(past.has_value()) << past.error().message;
    ASSERT_EQ(past->history.rescales.size(), 1U);
    EXPECT_EQ(past->history.rescales[0].submitted, 1700000000);
}

TEST_F(Past, OfAJobThatNobodyHeardOfIsAnError) {
    fill();
    for (const PastOf& of : {PastOf{.job = 99, .model = {}, .since = {}},
                             PastOf{.job = 12, .submitted = 1, .model = {}, .since = {}}}) {
        const auto past = read_past(of);
        ASSERT_FALSE(past.has_value());
        EXPECT_EQ(past.error().message.find("nothing is known of job "), 0U);
    }
    EXPECT_TRUE(read_past({.job = {}, .model = "alexnet", .since = {}}).has_value());
}

TEST_F(Past, SinceLeavesOutWhatIsOlder) {
    fill();
    const auto past = read_past({.job = {}, .model = {}, .since = 1700000250});
    ASSERT_TRUE(past.has_value()) << past.error().message;
    ASSERT_EQ(past->runs.size(), 1U);
    EXPECT_EQ(past->runs[0].job, 13U);
}

}  // namespace
}  // namespace hora::scripts
