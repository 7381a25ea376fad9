#include "libplanner/report/jobs/simulation.hpp"

#include <gtest/gtest.h>

namespace hora::report {
namespace {

domain::TraceJob job_called(const char* name) {
    domain::TraceJob job;
    job.name = name;
    return job;
}

sim::JobResult result_of(std::uint32_t job, std::uint32_t type) {
    sim::JobResult result;
    result.job = job;
    result.type = type;
    return result;
}

// Another may have been left out before: its place in the set is not its name.
TEST(Simulation, CallsJobsByTheirNames) {
    domain::JobTrace set;
    set.jobs = {job_called("resnet"), job_called("line-5")};
    sim::Result result;
    result.jobs = {result_of(1, 1), result_of(0, 0)};
    sim::Setup setup;
    EXPECT_EQ(job_labels(setup, set, result), (std::vector<std::string>{"line-5", "resnet"}));
    setup.types = {{.name = "t4", .nodes = 1, .gpus_per_node = 4},
                   {.name = "a100", .nodes = 1, .gpus_per_node = 8}};
    EXPECT_EQ(job_labels(setup, set, result),
              (std::vector<std::string>{"line-5 (a100)", "resnet (t4)"}));
}

struct Case {
    const char* sentence;
    std::vector<bool> elastic;  // by job
    sim::UserInput users;
    const char* text;
};

const Case cases[] = {
    {"all elastic: nothing to say", {true, true}, {}, "limits x 3"},
    {"whatever share was asked for",
     {true, false, true},
     {.elastic_share = 0.5},
     "2 of 3 jobs elastic, limits x 3"},
    {"a rigid trace",
     {false, false},
     {.elastic_share = 0.5, .yield_share = 1, .any_batch = true},
     "no job elastic, limits x 3"},
};

TEST(Simulation, CountsTheElasticJobs) {
    for (const Case& test : cases) {
        domain::JobTrace set;
        for (const bool is_elastic : test.elastic) {
            set.jobs.push_back(job_called("a"));
            set.jobs.back().is_elastic = is_elastic;
        }
        const sim::Setup setup;
        const SimulationView view{.setup = setup,
                                  .sets = {&set, 1},
                                  .runs = {},
                                  .mix = {},
                                  .sizes = {},
                                  .users = test.users};
        EXPECT_EQ(users_text(view), test.text) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::report
