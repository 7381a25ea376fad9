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

}  // namespace
}  // namespace hora::report
