// Is what a job asked for before it was planned anew still known after a restart, of the right job?
#include "scripts/horad/pending/replaced_plans.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/unit/contrib/scratch_folder.hpp"

namespace hora::horad {
namespace {

class KeptPlans : public testing::Test {
  protected:
    // Before the job was planned anew for the n-th time.
    static ReplacedPlan plan(std::uint32_t times, std::uint32_t job = 7) {
        ReplacedPlan plan;
        plan.job = job;
        plan.uid = 1000;
        plan.submitted = 1795279238;
        plan.times = times;
        plan.shape = {.nodes = 2,
                      .tasks = 4,
                      .tasks_per_node = 2,
                      .cpus = 8,
                      .tres_per_node = "gres:gpu:2",
                      .tres_per_socket = "gres:gpu:1",
                      .sockets_per_node = 2,
                      .cores_per_socket = 2};
        plan.features = "a&\"b\"";
        plan.prefer = "c";
        plan.admin_comment = "site=x " + std::string(8000, 'y');
        plan.priority = 4294901757U;
        return plan;
    }

    static domain::Decision planned(std::uint32_t times) {
        domain::Decision decision;
        decision.submitted = 1795279238;
        decision.replanned.times = times;
        return decision;
    }

    ReplacedPlans loaded() {
        file_ = std::make_unique<JournalFile>(folder_.path());
        ReplacedPlans plans(*file_);
        const auto done = plans.load();
        EXPECT_TRUE(done) << done.error().message;
        return plans;
    }

    const trainer::ScratchFolder folder_;
    std::unique_ptr<JournalFile> file_;
};

TEST_F(KeptPlans, gives_back_what_it_was_given) {
    {
        ReplacedPlans plans = loaded();
        ASSERT_TRUE(plans.keep(plan(1)));
        ASSERT_TRUE(plans.keep(plan(1, 8)));
    }
    EXPECT_EQ(loaded().before(7, 1000, planned(1)), plan(1));
    EXPECT_EQ(loaded().before(8, 1000, planned(1)), plan(1, 8));
}

TEST_F(KeptPlans, takes_no_other_job_for_this_one) {
    ReplacedPlans plans = loaded();
    ASSERT_TRUE(plans.keep(plan(1)));
    EXPECT_FALSE(plans.before(8, 1000, planned(1))) << "another number";
    EXPECT_FALSE(plans.before(7, 1001, planned(1))) << "another owner";
    EXPECT_FALSE(plans.before(7, 1000, planned(0))) << "it has never been planned anew";
    EXPECT_FALSE(plans.before(7, 1000, planned(2))) << "of a later plan nothing is known";
    domain::Decision later = planned(1);
    later.submitted += 1;
    EXPECT_FALSE(plans.before(7, 1000, later)) << "submitted at another time";
}

TEST_F(KeptPlans, goes_back_plan_by_plan) {
    ReplacedPlans plans = loaded();
    for (const std::uint32_t times : {1U, 2U, 3U}) {
        ASSERT_TRUE(plans.keep(plan(times)));
    }
    EXPECT_TRUE(plans.before(7, 1000, planned(3)));
    EXPECT_TRUE(plans.before(7, 1000, planned(2)));
    EXPECT_TRUE(plans.before(7, 1000, planned(1)));
    // Back at the first plan it was planned anew once more: what came after that is void.
    ReplacedPlan other = plan(2);
    other.features = "d";
    ASSERT_TRUE(plans.keep(other));
    EXPECT_EQ(plans.before(7, 1000, planned(2)), other);
    EXPECT_FALSE(plans.before(7, 1000, planned(3)));
    EXPECT_TRUE(plans.before(7, 1000, planned(1)));
}

TEST_F(KeptPlans, keeps_a_few_of_each_job) {
    ReplacedPlans plans = loaded();
    for (std::uint32_t times = 1; times <= 10; ++times) {
        ASSERT_TRUE(plans.keep(plan(times)));
    }
    EXPECT_TRUE(plans.before(7, 1000, planned(10)));
    EXPECT_TRUE(plans.before(7, 1000, planned(7)));
    EXPECT_FALSE(plans.before(7, 1000, planned(6)));
}

TEST_F(KeptPlans, forgets_what_is_over) {
    ReplacedPlans plans = loaded();
    ASSERT_TRUE(plans.keep(plan(1)));
    ASSERT_TRUE(plans.keep(plan(1, 8)));
    ASSERT_TRUE(plans.forget([](const ReplacedPlan& one) { return one.job == 7; }));
    EXPECT_FALSE(loaded().before(7, 1000, planned(1)));
    EXPECT_TRUE(loaded().before(8, 1000, planned(1)));
}

TEST_F(KeptPlans, are_taken_over_from_the_file_of_an_earlier_horad) {
    const std::string path = folder_.file("replans.json");
    std::ofstream(path)
        << R"({"version": 1, "plans": [{"job": 7, "uid": 1000, "submitted": 1795279238, "times": 1,)"
        << R"("shape": {"nodes": 2, "tasks": 4, "tasks_per_node": 2, "cpus": 8,)"
        << R"("tres_per_node": "gres:gpu:2", "tres_per_socket": "gres:gpu:1",)"
        << R"("sockets_per_node": 2, "cores_per_socket": 2}, "features": "a&\"b\"",)"
        << R"("prefer": "c", "admin_comment": "site=x", "priority": 4294901757}]})";
    ReplacedPlan wanted = plan(1);
    wanted.admin_comment = "site=x";
    EXPECT_EQ(loaded().before(7, 1000, planned(1)), wanted);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(loaded().before(7, 1000, planned(1)), wanted);
}

TEST_F(KeptPlans, keeps_nothing_that_is_not_on_disk) {
    JournalFile lost(folder_.file("missing"));
    ReplacedPlans plans(lost);
    EXPECT_FALSE(plans.load());
    EXPECT_FALSE(plans.keep(plan(1)));
    EXPECT_FALSE(plans.before(7, 1000, planned(1)));
}

}  // namespace
}  // namespace hora::horad
