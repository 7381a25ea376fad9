// Is a policy's answer taken just where it keeps to each job and to the GPUs there are?
#include "libplanner/sim/answer_check.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

constexpr std::uint32_t listed[] = {2, 4, 8};

struct Case {
    const char* sentence;
    std::function<void(domain::ElasticJob&)> change;  // of one that waits and takes 2 to 8
    std::uint32_t gpus;
    const char* problem;
};

void rigid(domain::ElasticJob& job) {
    job.is_elastic = false;
    job.requested = 3;
}

const Case cases[] = {
    {"one that waits may wait on", [](domain::ElasticJob&) {}, 0, ""},
    {"its least", [](domain::ElasticJob&) {}, 2, ""},
    {"its most", [](domain::ElasticJob&) {}, 8, ""},
    {"less", [](domain::ElasticJob&) {}, 1,
     "gives 1 GPUs to job \"job-1\", which holds 0 and takes 2 to 8"},
    {"more", [](domain::ElasticJob&) {}, 9,
     "gives 9 GPUs to job \"job-1\", which holds 0 and takes 2 to 8"},
    {"a size of its list", [](domain::ElasticJob& job) { job.sizes = listed; }, 4, ""},
    {"one that is not", [](domain::ElasticJob& job) { job.sizes = listed; }, 3,
     "gives 3 GPUs to job \"job-1\", which holds 0 and takes 2 to 8"},
    {"what it holds may be none of them",
     [](domain::ElasticJob& job) {
         job.sizes = listed;
         job.gpus = 3;
     },
     3, ""},
    {"or above its most", [](domain::ElasticJob& job) { job.gpus = 9; }, 9, ""},
    {"one that runs is not stopped", [](domain::ElasticJob& job) { job.gpus = 4; }, 0,
     "gives 0 GPUs to job \"job-1\", which holds 4 and takes 2 to 8"},
    {"a rigid one gets its request", rigid, 3, ""},
    {"or waits", rigid, 0, ""},
    {"or else is wronged", rigid, 4,
     "gives 4 GPUs to job \"job-1\", which holds 0 and takes 2 to 8"},
    {"a rigid one keeps what it holds",
     [](domain::ElasticJob& job) {
         rigid(job);
         job.gpus = 5;
     },
     5, ""},
    {"whatever it requested",
     [](domain::ElasticJob& job) {
         rigid(job);
         job.gpus = 5;
     },
     3, "gives 3 GPUs to job \"job-1\", which holds 5 and takes 2 to 8"},
};

TEST(AnswerCheck, FindsWhatAJobDoesNotTake) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 2, 8), {1});
    for (const Case& test : cases) {
        domain::ElasticState state;
        state.gpus = 16;
        domain::ElasticJob& job = state.jobs.emplace_back();
        job.min = 2;
        job.max = 8;
        test.change(job);
        EXPECT_EQ(broken_promise(state, std::span(&test.gpus, 1), trace), test.problem)
            << test.sentence;
    }
}

TEST(AnswerCheck, FindsMoreThanThereIs) {
    domain::JobTrace trace;
    domain::ElasticState state;
    state.gpus = 8;
    for (std::uint64_t id = 0; id < 2; ++id) {
        add_job(trace, elastic_job(0, 1, 8), {1});
        domain::ElasticJob& job = state.jobs.emplace_back();
        job.id = id;
        job.max = 8;
    }
    const auto problem = [&](const std::vector<std::uint32_t>& gpus) {
        return broken_promise(state, gpus, trace);
    };
    EXPECT_EQ(problem({4, 4}), "");
    EXPECT_EQ(problem({5, 4}), "gives away 9 GPUs of 8");
    EXPECT_EQ(problem({4}), "answers for 1 jobs of 2");
    EXPECT_EQ(problem({4, 4, 0}), "answers for 3 jobs of 2");
    state.jobs.clear();
    EXPECT_EQ(problem({}), "");
}

}  // namespace
}  // namespace hora::sim
