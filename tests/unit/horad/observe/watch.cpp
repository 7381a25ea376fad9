// Is what a look has seen news of the next one, where it failed half-way?
#include "scripts/horad/observe/watch.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/slurm/collect/fake_controller.hpp"

namespace {

Part jobs;
job_info_msg_t job_message{};

}  // namespace

extern "C" {

int slurm_load_jobs(time_t since, job_info_msg_t** place, uint16_t /*flags*/) {
    return answer(jobs, since, job_message, place);
}
void slurm_free_job_info_msg(job_info_msg_t* /*message*/) {}

}  // extern "C"

namespace hora::horad {
namespace {

class WatchTest : public testing::Test {
  protected:
    WatchTest()
        : plans_(
              slurm::PlanSpool(folder_.path()), [] { return nullptr; }, log_),
          watch_(slurm::SiteFacts{}, plans_) {
        controller = {};
        jobs = {};
    }

    const tests::ScratchFolder folder_;
    Log log_;
    Plans plans_;
    Watch watch_;
};

TEST_F(WatchTest, ShowsNewsOnce) {
    const auto first = watch_.look(1, false);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->of_jobs);
    EXPECT_TRUE(first->of_cluster);
    const auto second = watch_.look(2, false);
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->of_jobs);
    EXPECT_FALSE(second->of_cluster);
    ++jobs.updated;
    const auto third = watch_.look(3, false);
    ASSERT_TRUE(third);
    EXPECT_TRUE(third->of_jobs);
}

TEST_F(WatchTest, KeepsTheNewsOfJobsWhereTheCallForNodesFails) {
    controller.nodes.error = ETIMEDOUT;
    EXPECT_FALSE(watch_.look(1, false));
    controller.nodes.error = 0;
    const auto news = watch_.look(2, false);
    ASSERT_TRUE(news);
    EXPECT_EQ(jobs.answers, 1) << "slurmctld sends the list once";
    EXPECT_TRUE(news->of_jobs);
}

}  // namespace
}  // namespace hora::horad
