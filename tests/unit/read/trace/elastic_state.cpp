#include "libplanner/read/trace/elastic_state.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hora::read {
namespace {

std::string state_with(std::string_view job) {
    return R"({"gpus":8,"waiting":0,"gpus_per_node":4,"jobs":[)" + std::string(job) + "]}";
}

std::string job_with(std::string_view more, std::string_view gpus = "1") {
    return state_with(R"({"id":1,"gpus":)" + std::string(gpus) +
                      R"(,"epochs_left":2,"epoch_seconds":[9,5,4,3,3,3,3,2])" + std::string(more) +
                      "}");
}

TEST(ElasticState, KnowsWhatEachKeySays) {
    const auto file = read_elastic_state(R"({"version":1,"gpus":8,"waiting":3,"gpus_per_node":4,
        "now":500,"rescale_seconds":12,"jobs":[
        {"id":"bert","gpus":2,"min":2,"max":4,"epochs_left":1.5,"epoch_seconds":[9,5,4,3],
         "sizes":[4,2,2,16],"requested":3,"uncertainty":[0,0.1,0.2,0.3],"submitted":100,"started":200,
         "resized":300,"attained":600,"restarts":1,"own_end":900,
         "time_left":70},
        {"id":9,"gpus":0,"elastic":false,"requested":5,"epochs_left":1,"epoch_seconds":[7]}]})");
    ASSERT_TRUE(file) << file.error().message;
    const domain::ElasticState& state = file->state;
    EXPECT_EQ(state.gpus, 8u);
    EXPECT_EQ(state.waiting, 3u);
    EXPECT_EQ(state.gpus_per_node, 4u);
    EXPECT_EQ(state.now, Seconds(500));
    EXPECT_EQ(state.rescale, Seconds(12));
    EXPECT_EQ(file->names, (std::vector<JobName>{"bert", std::uint64_t{9}}));
    const domain::ElasticJob& job = state.jobs[0];
    EXPECT_TRUE(job.is_elastic);
    EXPECT_EQ(job.gpus, 2u);
    EXPECT_EQ(job.min, 2u);
    EXPECT_EQ(job.max, 4u);
    EXPECT_EQ(job.requested, 3u);
    EXPECT_EQ(job.epochs_left, 1.5);
    EXPECT_EQ(std::vector(job.sizes.begin(), job.sizes.end()), (std::vector<std::uint32_t>{2, 4}));
    ASSERT_EQ(job.epoch_seconds.size(), 4u);
    EXPECT_EQ(job.epoch_seconds[1], Seconds(5));
    ASSERT_EQ(job.uncertainty.size(), 4u);
    EXPECT_EQ(job.uncertainty[3], 0.3);
    EXPECT_EQ(job.submitted, Seconds(100));
    EXPECT_EQ(job.started, Seconds(200));
    EXPECT_EQ(job.resized, Seconds(300));
    EXPECT_EQ(job.attained, 600);
    EXPECT_EQ(job.restarts, 1u);
    EXPECT_EQ(job.own_end, Seconds(900));
    ASSERT_TRUE(job.deadline);
    EXPECT_EQ(job.deadline->left, Seconds(70));
    EXPECT_EQ(job.deadline->epochs, 1.5);
    EXPECT_FALSE(state.jobs[1].deadline);
    EXPECT_FALSE(state.jobs[1].own_end);
    EXPECT_FALSE(state.jobs[1].is_elastic);
    EXPECT_EQ(state.jobs[1].requested, 5u);
    EXPECT_FALSE(state.jobs[1].started);
}

TEST(ElasticState, NamesSizes) {
    const std::pair<const char*, std::vector<std::uint32_t>> cases[] = {
        {R"("any")", {}},
        {R"("powers")", {1, 2, 4, 8}},
        {R"("nodes")", {4, 8}},
        {"[3]", {3}},
    };
    for (const auto& [sizes, wanted] : cases) {
        SCOPED_TRACE(sizes);
        const auto file = read_elastic_state(job_with(std::string(R"(,"sizes":)") + sizes, "0"));
        ASSERT_TRUE(file) << file.error().message;
        const auto& found = file->state.jobs[0].sizes;
        EXPECT_EQ(std::vector(found.begin(), found.end()), wanted);
    }
}

TEST(ElasticState, EndsWhereTheCurveEnds) {
    const auto file = read_elastic_state(job_with(R"(,"max":20)"));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->state.jobs[0].max, 8u);
    ASSERT_EQ(file->remarks.size(), 1u);
    EXPECT_NE(file->remarks[0].find("jobs[0] gets at most 8 of its max 20"), std::string::npos);
}

TEST(ElasticState, StaysWholeWhenMoved) {
    auto file = read_elastic_state(job_with(R"(,"sizes":"powers")"));
    ASSERT_TRUE(file);
    const ElasticStateFile moved = *std::move(file);
    EXPECT_EQ(moved.state.jobs[0].epoch_seconds[7], Seconds(2));
    EXPECT_EQ(moved.state.jobs[0].sizes[3], 8u);
}

TEST(ElasticState, SaysWhatIsWrongAndWhere) {
    const std::string job = R"({"id":1,"gpus":1,"epochs_left":2,"epoch_seconds":[9]})";
    const std::pair<std::string, const char*> cases[] = {
        {"", "line 1, column 1: no JSON"},
        {"{\"gpus\":4,\n \"jobs\":[}", "line 2, column 10: no JSON"},
        {"[]", "is no JSON object; it starts as"},
        {R"({"gpus":1e999,"jobs":[]})", "a number is too large"},
        {R"({"gpus":4,"gpus":5,"jobs":[]})", "names the key \"gpus\" of one object twice"},
        {R"({"version":2,"gpus":4,"jobs":[]})", "state.version"},
        {R"({"gpus":4,"waitng":0,"jobs":[]})", "did you mean \"waiting\"?"},
        {R"({"gpus":4,"waiting":-1,"jobs":[]})", "state.waiting is no whole number"},
        {R"({"gpus":4,"gpus_per_node":0,"jobs":[]})", "state.gpus_per_node is 0"},
        {R"({"jobs":[]})", "state.gpus is missing"},
        {R"({"gpus":4})", "state.jobs is missing"},
        {state_with("7"), "jobs[0] is no object"},
        {state_with(job + "," + job), "jobs[1].id is 1, as that of an earlier job"},
        {job_with("", "9"), "jobs[0].gpus is 9, outside of min 1 to max 8"},
        {job_with(R"(,"elastic":false)", "9"), "state.gpus is 8, but the jobs hold 9"},
        {job_with(R"(,"maxx":3)"), "jobs[0].\"maxx\" is not known; did you mean \"max\"?"},
        {job_with(R"(,"min":0)"), "jobs[0].min is 0; a started job keeps"},
        {job_with(R"(,"min":3,"max":2)", "0"), "jobs[0].max is 2, below min 3"},
        {job_with(R"(,"min":9,"max":10)", "0"), "ends at 8 GPUs, but the job needs at least 9"},
        {job_with(R"(,"sizes":"power")"), "did you mean \"powers\"?"},
        {job_with(R"(,"sizes":[])"), "jobs[0].sizes is empty; leave it out"},
        {job_with(R"(,"sizes":[16])"), "jobs[0].sizes has none from min 1 to max 8"},
        {job_with(R"(,"max":3,"sizes":"nodes")"), "leaves no size from min 1 to max 3"},
        {job_with(R"(,"requested":0)"), "jobs[0].requested is 0"},
        {job_with(R"(,"elastic":1)"), "jobs[0].elastic is neither true nor false"},
        {job_with(R"(,"uncertainty":[0.1])"), "has 1 errors for the 8 times"},
        {job_with(R"(,"uncertainty":["no"])"), "jobs[0].uncertainty holds something else"},
        {job_with(R"(,"started":"now")"), "jobs[0].started is no number"},
        {job_with(R"(,"time_left":"1:00:00")"), "jobs[0].time_left is no number"},
        {state_with(R"({"id":1,"gpus":1,"epochs_left":-1,"epoch_seconds":[9]})"),
         "jobs[0].epochs_left is no number"},
        {state_with(R"({"id":1,"gpus":1,"epochs_left":1,"epoch_seconds":[]})"),
         "jobs[0].epoch_seconds has no time"},
        {state_with(R"({"id":1,"gpus":1,"epochs_left":1,"epoch_seconds":[9,0]})"),
         "jobs[0].epoch_seconds[1] is \"0\", no time above 0"},
        {state_with(R"({"id":1.5,"gpus":1,"epochs_left":1,"epoch_seconds":[9]})"),
         "jobs[0].id is no whole number"},
    };
    for (const auto& [json, wanted] : cases) {
        SCOPED_TRACE(json);
        const auto file = read_elastic_state(json);
        ASSERT_FALSE(file);
        EXPECT_NE(file.error().message.find(wanted), std::string::npos) << file.error().message;
        EXPECT_EQ(file.error().kind, ErrorKind::wrong_use);
    }
}

}  // namespace
}  // namespace hora::read
