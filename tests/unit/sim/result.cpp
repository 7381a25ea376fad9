// Do the figures of a simulation add up?
#include "libplanner/sim/result.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::sim {
namespace {

JobResult job(double submitted, double ended, double gpu_seconds, std::uint32_t restarts) {
    JobResult made;
    made.submitted = Seconds(submitted);
    made.ended = Seconds(ended);
    made.gpu_seconds = gpu_seconds;
    made.restarts = restarts;
    return made;
}

struct Case {
    const char* name;
    std::vector<double> values;
    double share;
    double wanted;
};

TEST(Percentile, LiesBetweenNeighbours) {
    const Case cases[] = {
        {"of nothing it is nothing", {}, 0.5, 0},
        {"of one value it is that", {7}, 0.99, 7},
        {"the median of an odd number is the middle one", {3, 1, 2}, 0.5, 2},
        {"the median of an even number lies half-way", {4, 1, 2, 10}, 0.5, 3},
        {"the last is the whole", {4, 1, 2, 10}, 1, 10},
        {"p99 of a hundred and one is the last but one",
         [] {
             std::vector<double> values;
             for (int i = 0; i <= 100; ++i) {
                 values.push_back(i);
             }
             return values;
         }(),
         0.99, 99},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_DOUBLE_EQ(percentile(each.values, each.share), each.wanted);
    }
}

TEST(Summary, IsOfAllJobs) {
    Result result;
    result.gpus = 4;
    result.jobs = {job(10, 20, 10, 0), job(15, 50, 70, 3)};
    const Summary summary = summarise(result);
    EXPECT_EQ(summary.jobs, 2);
    EXPECT_EQ(summary.mean_completion, Seconds(22.5));
    EXPECT_EQ(summary.makespan, Seconds(40));
    EXPECT_EQ(summary.restarts_per_job, 1.5);
    EXPECT_DOUBLE_EQ(summary.utilisation, 0.5);
}

TEST(Summary, OfNoJobsIsNothing) {
    EXPECT_EQ(summarise(Result{}).makespan, Seconds(0));
}

// Of a past whose number of GPUs is not known, or jobs that took no time.
TEST(Summary, UtilisationIsAlwaysANumber) {
    Result result;
    result.jobs = {job(10, 20, 10, 0)};
    EXPECT_EQ(summarise(result).utilisation, 0);
    result.gpus = 4;
    result.jobs = {job(10, 10, 0, 0)};
    EXPECT_EQ(summarise(result).utilisation, 0);
}

TEST(Comparison, IsOfEachJobWithItself) {
    domain::JobTrace trace;
    trace.jobs.resize(4);
    trace.jobs[3].is_elastic = false;
    const auto result_of = [](std::vector<double> ends) {
        Result result;
        for (std::uint32_t i = 0; i < ends.size(); ++i) {
            result.jobs.push_back(job(0, ends[i], 0, 0));
            result.jobs.back().job = i;
        }
        return result;
    };
    const Comparison beside =
        compare(result_of({50, 100.5, 150, 30}), result_of({100, 100, 100, 20}), trace);
    EXPECT_DOUBLE_EQ(beside.later, 1.0 / 3) << "half a percent is no delay";
    EXPECT_DOUBLE_EQ(beside.latest, 1.5);
    EXPECT_DOUBLE_EQ(beside.elastic_mean, 300.5 / 300);
    EXPECT_DOUBLE_EQ(beside.rigid_mean, 1.5);
    trace.jobs.pop_back();
    EXPECT_EQ(compare(result_of({1, 1, 1}), result_of({1, 1, 1}), trace).rigid_mean, 0)
        << "of none";
}

TEST(Comparison, OfSeveralSetsIsTheirMeanAndTheirWorst) {
    Comparison sets[2];
    sets[0] = {.later = 0.1, .latest = 1.5, .elastic_mean = 0.6, .rigid_mean = 1};
    sets[1] = {.later = 0.3, .latest = 1.2, .elastic_mean = 0.8, .rigid_mean = 2};
    const Comparison mean = mean_of(sets);
    EXPECT_DOUBLE_EQ(mean.later, 0.2);
    EXPECT_EQ(mean.latest, 1.5);
    EXPECT_DOUBLE_EQ(mean.elastic_mean, 0.7);
    EXPECT_DOUBLE_EQ(mean.rigid_mean, 1.5);
}

TEST(Comparison, OfSeveralSetsIsThatOfThoseWithSuchJobs) {
    Comparison sets[3];
    sets[0] = {.later = 0.5, .latest = 1.5, .elastic_mean = 0.6, .rigid_mean = 0};
    sets[1] = {.later = 0, .latest = 0, .elastic_mean = 0, .rigid_mean = 1.2};
    sets[2] = {.later = 0, .latest = 0, .elastic_mean = 0, .rigid_mean = 1.4};
    const Comparison mean = mean_of(sets);
    EXPECT_EQ(mean.later, 0.5);
    EXPECT_EQ(mean.latest, 1.5);
    EXPECT_EQ(mean.elastic_mean, 0.6);
    EXPECT_DOUBLE_EQ(mean.rigid_mean, 1.3);
    EXPECT_EQ(mean_of(std::span(sets).last(2)).elastic_mean, 0) << "of none";
}

TEST(Summary, OfSeveralSetsIsTheirMean) {
    Summary sets[2];
    sets[0].mean_completion = Seconds(10);
    sets[1].mean_completion = Seconds(30);
    sets[0].utilisation = 0.5;
    sets[1].utilisation = 0.7;
    EXPECT_EQ(mean_of(sets).mean_completion, Seconds(20));
    EXPECT_DOUBLE_EQ(mean_of(sets).utilisation, 0.6);
}

}  // namespace
}  // namespace hora::sim
