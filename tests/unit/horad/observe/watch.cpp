// Is what a look has seen news of the next one, where it failed half-way?
#include "scripts/horad/observe/watch.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/slurm/collect/fake_controller.hpp"

namespace {

Part jobs;
job_info_msg_t job_message{};
std::chrono::steady_clock::time_point now;
std::chrono::milliseconds time_of_a_load{0};
int times_asked = 0;

}  // namespace

extern "C" {

int slurm_load_jobs(time_t since, job_info_msg_t** place, uint16_t /*flags*/) {
    now += time_of_a_load;
    ++times_asked;
    return answer(jobs, since, job_message, place);
}
void slurm_free_job_info_msg(job_info_msg_t* /*message*/) {}

}  // extern "C"

namespace hora::horad {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WatchTest : public testing::Test {
  protected:
    WatchTest()
        : plans_(
              slurm::PlanSpool(folder_.path()), [] { return nullptr; }, log_),
          watch_(slurm::SiteFacts{}, plans_, [] { return now; }) {
        controller = {};
        jobs = {};
        now = {};
        time_of_a_load = milliseconds(0);
        times_asked = 0;
    }
    bool asks_for_jobs(Haste haste) {
        const int before = times_asked;
        EXPECT_TRUE(watch_.look(1, false, haste));
        return times_asked > before;
    }

    const tests::ScratchFolder folder_;
    Log log_;
    Plans plans_;
    Watch watch_;
};

TEST_F(WatchTest, ShowsNewsOnce) {
    const auto first = watch_.look(1, false, Haste::waits_for_job);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->of_jobs);
    EXPECT_TRUE(first->of_cluster);
    const auto second = watch_.look(2, false, Haste::waits_for_job);
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->of_jobs);
    EXPECT_FALSE(second->of_cluster);
    ++jobs.updated;
    const auto third = watch_.look(3, false, Haste::waits_for_job);
    ASSERT_TRUE(third);
    EXPECT_TRUE(third->of_jobs);
}

TEST_F(WatchTest, KeepsTheNewsOfJobsWhereTheCallForNodesFails) {
    controller.nodes.error = ETIMEDOUT;
    EXPECT_FALSE(watch_.look(1, false, Haste::waits_for_job));
    controller.nodes.error = 0;
    const auto news = watch_.look(2, false, Haste::waits_for_job);
    ASSERT_TRUE(news);
    EXPECT_EQ(jobs.answers, 1) << "slurmctld sends the list once";
    EXPECT_TRUE(news->of_jobs);
}

TEST_F(WatchTest, LeavesSlurmctldNineteenTimesAsLongAsALoadOfItsJobsTook) {
    time_of_a_load = milliseconds(500);
    ASSERT_TRUE(asks_for_jobs(Haste::none));
    now += milliseconds(9499);
    EXPECT_FALSE(asks_for_jobs(Haste::none));
    now += milliseconds(1);
    EXPECT_TRUE(asks_for_jobs(Haste::none));
}

TEST_F(WatchTest, LeavesItThreeTimesAsLongWhereAJobIsWaitedFor) {
    time_of_a_load = milliseconds(500);
    ASSERT_TRUE(asks_for_jobs(Haste::waits_for_job));
    now += milliseconds(1499);
    EXPECT_FALSE(asks_for_jobs(Haste::waits_for_job));
    now += milliseconds(1);
    EXPECT_TRUE(asks_for_jobs(Haste::waits_for_job));
}

TEST_F(WatchTest, LeavesItNoLongerThanHalfAMinute) {
    time_of_a_load = seconds(10);
    ASSERT_TRUE(asks_for_jobs(Haste::none));
    now += milliseconds(29'999);
    EXPECT_FALSE(asks_for_jobs(Haste::none));
    now += milliseconds(1);
    EXPECT_TRUE(asks_for_jobs(Haste::none));
}

TEST_F(WatchTest, LoadsJobsAtOnceWhereThePictureIsOldOrALoadHasFailed) {
    struct Case {
        const char* sentence;
        int error;
        Haste haste;
        bool asks;
    };
    const Case cases[] = {
        {"nothing presses", 0, Haste::none, false},
        {"a resize is under way", 0, Haste::waits_for_job, false},
        {"one has ended", 0, Haste::picture_is_old, true},
        {"slurmctld was away", ETIMEDOUT, Haste::none, true},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        time_of_a_load = milliseconds(500);
        now += seconds(100);
        jobs.error = row.error;
        EXPECT_EQ(watch_.look(1, false, Haste::none).has_value(), row.error == 0);
        jobs.error = 0;
        now += milliseconds(100);
        EXPECT_EQ(asks_for_jobs(row.haste), row.asks);
    }
}

TEST(Pace, PressesOnlyWhereThePictureIsOld) {
    struct Round {
        const char* sentence;
        bool is_busy;
        std::uint64_t ended;
        bool has_requests;
        Haste haste;
    };
    const Round rounds[] = {
        {"idle", false, 0, false, Haste::none},
        {"a resize begins", true, 0, false, Haste::waits_for_job},
        {"goes on", true, 0, false, Haste::waits_for_job},
        {"goes on for long", true, 0, false, Haste::waits_for_job},
        {"one of two has ended", true, 1, false, Haste::picture_is_old},
        {"the other goes on", true, 1, false, Haste::waits_for_job},
        {"has ended too", false, 2, false, Haste::picture_is_old},
        {"idle again", false, 2, false, Haste::none},
        {"an administrator asks for one", false, 2, true, Haste::waits_for_job},
        {"which begins and ends within a round", false, 3, false, Haste::picture_is_old},
        {"a restart begins", true, 3, false, Haste::waits_for_job},
        {"and was no resize", false, 3, false, Haste::picture_is_old},
    };
    Pace pace;
    for (const Round& round : rounds) {
        EXPECT_EQ(pace.of_round(round.is_busy, round.ended, round.has_requests), round.haste)
            << round.sentence;
    }
}

// A GPU that a job has freed since would count as the job's and as idle.
TEST_F(WatchTest, ShowsNoClusterThatIsYoungerThanTheJobs) {
    time_of_a_load = milliseconds(500);
    ASSERT_TRUE(asks_for_jobs(Haste::none));
    ++controller.nodes.updated;
    now += seconds(5);
    EXPECT_FALSE(watch_.look(2, false, Haste::none)->of_cluster);
    now += seconds(5);
    EXPECT_TRUE(watch_.look(3, false, Haste::none)->of_cluster);
}

}  // namespace
}  // namespace hora::horad
