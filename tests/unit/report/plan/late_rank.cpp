#include "libplanner/report/plan/late_rank.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hora::report {
namespace {

TEST(LateRankReport, SaysWhatItCosts) {
    domain::Plan plan;
    plan.step_seconds = Seconds(0.1);
    const struct {
        const char* sentence;
        cost::LateStep late;
        const char* words;
        const char* json;
    } cases[] = {
        {"a ring that may go ahead",
         {.waiting = Seconds(0.125), .bypassing = Seconds(0.109375)},
         "late rank   125 ms/step where the exchange waits for it, 25 ms more; "
         "--allreduce=bypass saves up to 15.6 ms",
         R"({"step_seconds":0.125,"step_seconds_bypass":0.109375,"was_measured":false})"},
        {"a tree",
         {.waiting = Seconds(0.125), .bypassing = {}},
         "late rank   125 ms/step where the exchange waits for it, 25 ms more",
         R"({"step_seconds":0.125,"step_seconds_bypass":null,"was_measured":false})"},
        {"measured",
         {.waiting = Seconds(0.125), .bypassing = Seconds(0.109375), .was_measured = true},
         "late rank   is part of the measured times; where those runs waited, "
         "--allreduce=bypass saves up to 15.6 ms",
         R"({"step_seconds":0.125,"step_seconds_bypass":0.109375,"was_measured":true})"},
    };
    for (const auto& test : cases) {
        EXPECT_EQ(words_of(test.late, plan), test.words) << test.sentence;
        EXPECT_EQ(json_of(test.late).dump(), test.json) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::report
