// Can whatever the daemon knows be read back from what it wrote? One number that no reader takes
// would keep the whole status from everybody.
#include "libplanner/report/jobs/status_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <optional>

#include "libplanner/read/state/status.hpp"
#include "tests/unit/read/some_status.hpp"

namespace hora::report {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

struct Case {
    const char* sentence;
    double seconds;
    std::optional<double> read;  // empty: it counts as not known
};

const Case cases[] = {
    {"no time", 0, 0},
    {"a loss", -3600, -3600},
    {"as much as a reader takes", 1e12, 1e12},
    {"a gain beyond that, as of 10^18 steps", 2.5e17, {}},
    {"as great a loss", -2.5e17, {}},
    {"without end", endless, {}},
    {"no number", std::numeric_limits<double>::quiet_NaN(), {}},
};

TEST(StatusJson, HoldsNoTimeThatReadersRefuse) {
    for (const Case& one : cases) {
        domain::Status status = testing::small_status();
        status.jobs[0].gain = Seconds(one.seconds);
        status.jobs[0].step_seconds = Seconds(one.seconds);
        const auto back = read::read_status(to_json(status));
        ASSERT_TRUE(back) << one.sentence << ": " << back.error().message;
        for (const auto& time : {back->jobs[0].gain, back->jobs[0].step_seconds}) {
            EXPECT_EQ(time ? std::optional(time->count()) : std::nullopt, one.read) << one.sentence;
        }
    }
}

TEST(StatusJson, HoldsAnyText) {
    EXPECT_TRUE(rc::check([] {
        domain::Status status = testing::small_status();
        const auto text = *rc::gen::arbitrary<std::string>();
        status.cluster = status.host = status.policy = text;
        status.jobs[0].stays = status.jobs[0].state = status.jobs[0].partition = text;
        status.next[0].why = status.jobs[0].resize->why = text;
        status.remarks = {text, std::string(100000, '\xe2')};
        const auto back = read::read_status(to_json(status));
        RC_ASSERT(back.has_value());
    }));
}

}  // namespace
}  // namespace hora::report
