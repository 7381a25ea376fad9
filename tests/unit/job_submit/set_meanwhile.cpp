// Is what somebody has set of a job known for the restart in which it was set, and no other?
#include "plugins/job_submit/set_meanwhile.hpp"

#include <gtest/gtest.h>

namespace hora::submit {
namespace {

constexpr SetFields limit{.time_limit = true};
constexpr SetFields begin{.begin_time = true};

void expect(const SetFields& found, bool time_limit, bool begin_time, const char* sentence) {
    EXPECT_EQ(found.time_limit, time_limit) << sentence;
    EXPECT_EQ(found.begin_time, begin_time) << sentence;
}

TEST(SetMeanwhile, AddsUpWithinARestart) {
    SetMeanwhile set;
    expect(set.of(7, 1), false, false, "nothing was noted");
    set.note(7, 1, limit);
    expect(set.of(7, 1), true, false, "one field");
    set.note(7, 1, begin);
    expect(set.of(7, 1), true, true, "both");
    set.note(7, 1, {});
    expect(set.of(7, 1), true, true, "what was noted stays");
    expect(set.of(8, 1), false, false, "another job");
}

TEST(SetMeanwhile, BeginsAnewWithTheNextRestart) {
    SetMeanwhile set;
    set.note(7, 1, limit);
    expect(set.of(7, 2), false, false, "the next restart");
    set.note(7, 2, begin);
    expect(set.of(7, 2), false, true, "what was set before it does not count");
    expect(set.of(7, 1), false, false, "the restart that is over");
}

TEST(SetMeanwhile, IsBounded) {
    SetMeanwhile set;
    for (std::uint32_t job = 1; job <= SetMeanwhile::most + 1; ++job) {
        set.note(job, 1, limit);
    }
    expect(set.of(1, 1), false, false, "the lowest number went");
    expect(set.of(2, 1), true, false, "the next one is there");
    expect(set.of(SetMeanwhile::most + 1, 1), true, false, "and so is the last");
}

}  // namespace
}  // namespace hora::submit
