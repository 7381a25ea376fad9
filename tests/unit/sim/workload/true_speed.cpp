// Is a job as fast as was measured where it runs?
#include "libplanner/sim/workload/true_speed.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace hora::sim {
namespace {

TEST(TrueSpeed, IsThatOfTheNodesWhereItWasMeasured) {
    domain::TrueSpeed speed;
    speed.epoch_seconds = {Seconds(10), Seconds(6), Seconds(5)};
    speed.spread = {{2, 2, Seconds(8)}};
    EXPECT_EQ(epoch_on(speed, 2, 1), Seconds(6));
    EXPECT_EQ(epoch_on(speed, 2, 2), Seconds(8));
    EXPECT_EQ(epoch_on(speed, 3, 3), Seconds(5));
}

TEST(TrueSpeed, IsThatOfTheBatch) {
    domain::JobTrace trace;
    for (const double seconds : {9.0, 5.0, 4.0}) {
        domain::TrueSpeed speed;
        speed.epoch_seconds = {Seconds(seconds)};
        trace.speeds.push_back(speed);
    }
    trace.ranges = {{{64, 1}, {256, 2}, {512, 0, 4}}};
    domain::TraceJob job;
    EXPECT_EQ(known_batch(trace, job, 64, 1), 0U) << "it has one batch";
    EXPECT_EQ(speed_with(trace, job, 0).epoch_seconds[0], Seconds(9));
    job.range = 0;
    for (const auto& [batch, known] :
         {std::pair{1U, 64U}, {64U, 64U}, {255U, 64U}, {256U, 256U}, {9999U, 256U}}) {
        EXPECT_EQ(known_batch(trace, job, batch, 3), known) << batch;
    }
    EXPECT_EQ(known_batch(trace, job, 9999, 4), 512U);
    EXPECT_EQ(speed_with(trace, job, 64).epoch_seconds[0], Seconds(5));
    EXPECT_EQ(speed_with(trace, job, 256).epoch_seconds[0], Seconds(4));
    EXPECT_EQ(epoch_on(trace.speeds[0], 8, 2), Seconds(9)) << "more GPUs than were measured";
}

}  // namespace
}  // namespace hora::sim
