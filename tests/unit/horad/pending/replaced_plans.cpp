// Is what a job asked for before it was planned anew still known after a restart, of the right job?
#include "scripts/horad/pending/replaced_plans.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hora::horad {
namespace {

class ReplacedPlansFile : public testing::Test {
  protected:
    ReplacedPlansFile() {
        char name[] = "/tmp/hora-replans.XXXXXX";
        folder_ = mkdtemp(name);
        path_ = folder_ + "/replans.json";
    }
    ~ReplacedPlansFile() override { std::filesystem::remove_all(folder_); }

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

    ReplacedPlans loaded() const {
        ReplacedPlans plans(path_);
        const auto done = plans.load();
        EXPECT_TRUE(done) << done.error().message;
        return plans;
    }

    std::string folder_;
    std::string path_;
};

TEST_F(ReplacedPlansFile, gives_back_what_it_was_given) {
    {
        ReplacedPlans plans = loaded();
        ASSERT_TRUE(plans.keep(plan(1)));
        ASSERT_TRUE(plans.keep(plan(1, 8)));
    }
    EXPECT_EQ(loaded().before(7, 1000, planned(1)), plan(1));
    EXPECT_EQ(loaded().before(8, 1000, planned(1)), plan(1, 8));
}

TEST_F(ReplacedPlansFile, is_nobody_elses_affair) {
    ReplacedPlans plans = loaded();
    ASSERT_TRUE(plans.keep(plan(1)));
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(ReplacedPlansFile, takes_no_other_job_for_this_one) {
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

TEST_F(ReplacedPlansFile, goes_back_plan_by_plan) {
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

TEST_F(ReplacedPlansFile, keeps_a_few_of_each_job) {
    ReplacedPlans plans = loaded();
    for (std::uint32_t times = 1; times <= 10; ++times) {
        ASSERT_TRUE(plans.keep(plan(times)));
    }
    EXPECT_TRUE(plans.before(7, 1000, planned(10)));
    EXPECT_TRUE(plans.before(7, 1000, planned(7)));
    EXPECT_FALSE(plans.before(7, 1000, planned(6)));
}

TEST_F(ReplacedPlansFile, forgets_what_is_over) {
    ReplacedPlans plans = loaded();
    ASSERT_TRUE(plans.keep(plan(1)));
    ASSERT_TRUE(plans.keep(plan(1, 8)));
    ASSERT_TRUE(plans.forget([](const ReplacedPlan& one) { return one.job == 7; }));
    EXPECT_FALSE(loaded().before(7, 1000, planned(1)));
    EXPECT_TRUE(loaded().before(8, 1000, planned(1)));
}

TEST_F(ReplacedPlansFile, says_that_a_file_is_damaged_and_goes_on) {
    {
        ReplacedPlans plans = loaded();
        ASSERT_TRUE(plans.keep(plan(1)));
    }
    std::string whole;
    std::getline(std::ifstream(path_), whole, '\0');
    const std::string texts[] = {
        "",
        "[]",
        whole.substr(0, whole.size() / 2),
        "{\"version\": 2, \"plans\": []}",
        "{\"version\": 1, \"plans\": [{\"job\": 1}]}",
        "{\"version\": 1, \"plans\": [], \"more\": 1}",
    };
    for (const std::string& text : texts) {
        std::ofstream(path_) << text;
        ReplacedPlans plans(path_);
        const auto done = plans.load();
        ASSERT_FALSE(done) << text;
        EXPECT_NE(done.error().message.find(path_), std::string::npos) << done.error().message;
        EXPECT_FALSE(plans.before(7, 1000, planned(1)));
        EXPECT_TRUE(plans.keep(plan(1, 9)));
        EXPECT_TRUE(loaded().before(9, 1000, planned(1)));
    }
}

TEST_F(ReplacedPlansFile, keeps_nothing_that_is_not_on_disk) {
    ReplacedPlans plans(folder_ + "/missing/replans.json");
    ASSERT_TRUE(plans.load());
    EXPECT_FALSE(plans.keep(plan(1)));
    EXPECT_FALSE(plans.before(7, 1000, planned(1)));
}

}  // namespace
}  // namespace hora::horad
