// What is said to an administrator who asks for another size?
#include "scripts/horad/elastic/resize_request.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

struct Case {
    const char* name;
    domain::GpuRange range;
    slurm::JobState state;
    ResizeRequest request;
    const char* message;  // "": it is granted
};

Observation seen_job(const Case& row) {
    const auto memory = std::make_shared<JobMemory>();
    memory->decision.has_plan = true;
    memory->options.is_elastic = true;
    memory->options.gpus = row.range;
    ObservedJob job;
    job.id = 7;
    job.state = row.state;
    job.gpus = 2;
    job.memory = memory;
    Observation seen;
    seen.jobs.push_back(job);
    seen.cluster = std::make_shared<const domain::Snapshot>();
    return seen;
}

TEST(ResizeRequest, is_granted_within_what_the_owner_said_or_refused_with_the_reason) {
    using slurm::JobState;
    const Case cases[] = {
        {"more", {1, 4}, JobState::running, {.job = 7, .gpus = 4}, ""},
        {"fewer of one that waits", {1, 4}, JobState::pending, {.job = 7, .gpus = 1}, ""},
        {"no such job", {1, 4}, JobState::running, {.job = 8, .gpus = 4}, "there is no job 8"},
        {"as many as it has",
         {1, 4},
         JobState::running,
         {.job = 7, .gpus = 2},
         "job 7 has 2 GPUs already"},
        {"too many",
         {1, 4},
         JobState::running,
         {.job = 7, .gpus = 5},
         "job 7 may have 1 to 4 GPUs (--hora-gpus), not 5"},
        {"its owner said one number",
         {2, 2},
         JobState::running,
         {.job = 7, .gpus = 3},
         "job 7 may have exactly 2 GPUs (--hora-gpus), not 3"},
        {"it is over", {1, 4}, JobState::ended, {.job = 7, .gpus = 4}, "job 7 is over"},
        {"it is over, and had as many",
         {1, 4},
         JobState::ended,
         {.job = 7, .gpus = 2},
         "job 7 is over"},
        {"it is over, and too many",
         {1, 4},
         JobState::ended,
         {.job = 7, .gpus = 9},
         "job 7 is over"},
    };
    for (const Case& row : cases) {
        const auto resize = resize_of(row.request, seen_job(row), {}, read::Settings());
        EXPECT_EQ(resize ? "" : resize.error().message, row.message) << row.name;
        if (resize) {
            EXPECT_EQ(resize->from, 2U) << row.name;
            EXPECT_EQ(resize->to, row.request.gpus) << row.name;
        }
    }
}

}  // namespace
}  // namespace hora::horad
