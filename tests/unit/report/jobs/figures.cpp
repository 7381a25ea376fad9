#include "libplanner/report/jobs/figures.hpp"

#include <gtest/gtest.h>

namespace hora::report {
namespace {

LimitedRun run_of(const char* name, double limited, double cut_off) {
    LimitedRun run{.name = name, .summary = {}};
    run.summary.limited = limited;
    run.summary.cut_off = cut_off;
    return run;
}

TEST(LimitLine, TellsOfEachRunThatHasLimits) {
    const LimitedRun runs[] = {run_of("as it was", 0, 0), run_of("fcfs", 3000, 1234),
                               run_of("hora", 3000, 0), run_of("afs", 3000, 0.75)};
    EXPECT_EQ(limit_line(runs), "ended by their time limit: fcfs 1234, hora 0, afs 0.8\n");
}

TEST(LimitLine, IsEmptyWithoutLimits) {
    const LimitedRun runs[] = {run_of("fcfs", 0, 0)};
    EXPECT_EQ(limit_line(runs), "");
}

}  // namespace
}  // namespace hora::report
