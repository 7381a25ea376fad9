// Is a job that may not be resized refused, and is all written down of one that may?
#include "scripts/horad/resize/begin_resize.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

const Resize to_four{.job = 7, .from = 99, .to = 4, .sizes = {}, .why = "a test"};

TEST(BeginResize, refuses_what_cannot_be_checkpointed_or_requeued) {
    using slurm::Hold;
    using slurm::Job;
    using slurm::JobState;
    struct Case {
        const char* name;
        void (*change)(Job& job);
        const char* why;  // "": it can begin
    };
    const Case cases[] = {
        {"it runs", [](Job&) {}, ""},
        {"it waits", [](Job& job) { job.state = JobState::pending; }, ""},
        {"it can never run as it asks",
         [](Job& job) {
             job.state = JobState::pending;
             job.hold = Hold::impossible;
         },
         ""},
        {"it has ended", [](Job& job) { job.state = JobState::ended; },
         "it is over, or there is no such job"},
        {"no batch script", [](Job& job) { job.is_batch = false; },
         "only a batch job that is no array and not heterogeneous can be"},
        {"an array", [](Job& job) { job.is_array = true; },
         "only a batch job that is no array and not heterogeneous can be"},
        {"heterogeneous", [](Job& job) { job.is_het = true; },
         "only a batch job that is no array and not heterogeneous can be"},
        {"--no-requeue", [](Job& job) { job.may_requeue = false; },
         "it must not be requeued (--no-requeue)"},
        {"another start", [](Job& job) { job.restarts = 1; }, "it has restarted meanwhile"},
        {"suspended", [](Job& job) { job.state = JobState::suspended; },
         "it neither runs nor waits"},
        {"it ends", [](Job& job) { job.is_completing = true; }, "it neither runs nor waits"},
        {"preempted", [](Job& job) { job.is_preempted = true; }, "it is being preempted"},
        {"held",
         [](Job& job) {
             job.state = JobState::pending;
             job.hold = Hold::user;
         },
         "it is held"},
        {"not cleaned up",
         [](Job& job) {
             job.state = JobState::pending;
             job.is_completing = true;
         },
         "its last run is still being cleaned up"},
    };
    for (const Case& each : cases) {
        slurm::Job job = FakeSlurm().job();
        each.change(job);
        const auto can = can_begin(to_four, job);
        const std::string why = each.why;
        ASSERT_EQ(can.has_value(), why.empty()) << each.name;
        if (!can) {
            EXPECT_EQ(can.error().message, "job 7 cannot be resized: " + why) << each.name;
        }
    }
    EXPECT_FALSE(can_begin(to_four, std::nullopt));
}

TEST(BeginResize, writes_down_what_the_job_has_now) {
    slurm::Job job = FakeSlurm().job();
    job.began = 500;
    job.gpus = 3;
    job.asked_gpus = 5;
    job.time_limit = Seconds(600);
    const ResizeEntry entry =
        first_entry(to_four, job, shape_with(4), {.wall = 1000.5, .steady = Seconds(1)});
    EXPECT_EQ(entry.state, ResizeState::queued);
    EXPECT_EQ(entry.resize.from, 3U) << "not what somebody else has seen";
    EXPECT_EQ(entry.resize.to, 4U);
    EXPECT_EQ(entry.uid, 1000U);
    EXPECT_EQ(entry.submitted, 100);
    EXPECT_EQ(entry.where, "n1");
    EXPECT_EQ(entry.was, shape_with(2));
    EXPECT_EQ(entry.wanted, shape_with(4));
    EXPECT_EQ(entry.began, 500);
    EXPECT_EQ(entry.limit, Seconds(600));
    EXPECT_EQ(entry.asked, 1000.5);
    EXPECT_FALSE(entry.was_pending);
    job.state = slurm::JobState::pending;
    job.time_limit.reset();
    const ResizeEntry waits = first_entry(to_four, job, shape_with(4), {});
    EXPECT_TRUE(waits.was_pending);
    EXPECT_EQ(waits.resize.from, 5U) << "what it asks for";
    EXPECT_EQ(waits.limit, Seconds(0));
}

}  // namespace
}  // namespace hora::horad
