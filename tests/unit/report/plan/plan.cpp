// Is the exchange that a plan counted on named with it?
#include "libplanner/report/plan/plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hora::report {
namespace {

TEST(PlanReport, NamesTheExchange) {
    const struct {
        const char* sentence;
        domain::ExchangeUse exchange;
        const char* remark;
        const char* json;
    } cases[] = {
        {"one GPU exchanges nothing", {}, "", "null"},
        {"all gradients",
         {.kind = domain::Exchange::tree, .bytes = Bytes(669.8e6)},
         " (tree, 669.8 MB)",
         R"({"kind":"tree","bytes":669800000.0,"sample_rate":1.0})"},
        {"by way of the nodes",
         {.kind = domain::Exchange::hierarchy, .bytes = Bytes(1.34e9)},
         " (hierarchy, 1.340 GB)",
         R"({"kind":"hierarchy","bytes":1340000000.0,"sample_rate":1.0})"},
        {"the rows that matter",
         {.kind = domain::Exchange::server, .bytes = Bytes(512), .sample_rate = 0.05},
         " (server, 512 B, rows at rate 0.05)",
         R"({"kind":"server","bytes":512.0,"sample_rate":0.05})"},
    };
    for (const auto& test : cases) {
        EXPECT_EQ(exchange_remark(test.exchange), test.remark) << test.sentence;
        EXPECT_EQ(exchange_of(test.exchange).dump(), test.json) << test.sentence;
    }
}

TEST(PlanReport, TellsWhatEarlierRunsWaitedForLateRanks) {
    const struct {
        const char* sentence;
        domain::Lateness lateness;
        const char* words;
        const char* json;
    } cases[] = {
        {"a ring may go ahead",
         {.waiting = Seconds(0.0125), .bypassed = Seconds(0.0078125)},
         "late rank 12.5 ms of a step is waiting for it, by runs of the same owner; "
         "--hora-allreduce=bypass saves up to 7.81 ms",
         R"({"waiting":0.0125,"bypassed":0.0078125})"},
        {"a tree may not",
         {.waiting = Seconds(0.0125), .bypassed = Seconds(0)},
         "late rank 12.5 ms of a step is waiting for it, by runs of the same owner",
         R"({"waiting":0.0125,"bypassed":0.0})"},
    };
    domain::Cluster cluster;
    cluster.devices.resize(1);
    cluster.devices[0].name = "v100";
    cluster.nodes = {{.name = "n1", .overhead = Seconds(0), .cpus = 8}};
    cluster.gpus = {{.node = 0, .index = 0, .device = 0, .part = 0, .is_free = true}};
    cluster.parts.resize(1);
    domain::Plan plan;
    plan.members = {{.gpu = 0, .share = 8}};
    plan.step_seconds = Seconds(0.25);
    EXPECT_EQ(to_table(plan, cluster).find("late rank"), std::string::npos);
    EXPECT_FALSE(json_of(plan, cluster).contains("lateness"));
    for (const auto& test : cases) {
        EXPECT_EQ(words_of(test.lateness), test.words) << test.sentence;
        EXPECT_EQ(json_of(test.lateness).dump(), test.json) << test.sentence;
        plan.lateness = test.lateness;
        EXPECT_NE(to_table(plan, cluster).find(std::string("\n  ") + test.words + "\n"),
                  std::string::npos)
            << test.sentence;
        EXPECT_EQ(json_of(plan, cluster)["lateness"].dump(), test.json) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::report
