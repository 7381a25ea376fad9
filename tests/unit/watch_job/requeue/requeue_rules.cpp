#include "scripts/watch-job/requeue/requeue_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hora::watch {
namespace {

using testing::HasSubstr;

constexpr RequeueRules rules{.max_restarts = 3, .max_time = Seconds(1000)};

struct Row {
    const char* sentence;
    Ready ready;
    double ran;  // seconds
    std::vector<PastStart> past;
    const char* problem;  // null: it may
};

const Row rows[] = {
    {"a first start that did a step may", {1, 0}, 10, {}, nullptr},
    {"a first start that did none may not", {0, 0}, 10, {}, "no step of progress"},
    {"a step beyond the last checkpoint may", {501, 1}, 10, {{0, 500, Seconds(60)}}, nullptr},
    {"no step beyond it may not", {500, 1}, 10, {{0, 500, Seconds(60)}}, "step 500"},
    {"what an earlier checkpoint of this start said does not count",
     {500, 1},
     10,
     {{0, 400, Seconds(60)}, {1, 500, Seconds(60)}},
     nullptr},
    {"the best of the earlier ones counts",
     {450, 2},
     10,
     {{0, 500, Seconds(60)}, {1, 400, Seconds(60)}},
     "step 500"},
    {"the last restart that is allowed", {900, 2}, 10, {{1, 500, Seconds(60)}}, nullptr},
    {"one too many", {900, 3}, 10, {{2, 500, Seconds(60)}}, "requeue.max is 3"},
    {"time left", {900, 1}, 400, {{0, 500, Seconds(599)}}, nullptr},
    {"no time left", {900, 1}, 400, {{0, 500, Seconds(600)}}, "requeue.max_time is 1000 s"},
};

TEST(RequeueRules, StopWhatGoesRoundForEver) {
    for (const Row& row : rows) {
        const auto allowed = may_requeue(row.ready, Seconds(row.ran), row.past, rules);
        EXPECT_EQ(allowed.has_value(), row.problem == nullptr) << row.sentence;
        if (!allowed && row.problem != nullptr) {
            EXPECT_THAT(allowed.error().message, HasSubstr(row.problem)) << row.sentence;
        }
    }
}

}  // namespace
}  // namespace hora::watch
