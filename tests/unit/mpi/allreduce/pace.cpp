#include "plugins/mpi/allreduce/pace.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::mpi {
namespace {

std::vector<Arrival> arrivals(const std::vector<double>& seconds) {
    std::vector<Arrival> all;
    for (const double one : seconds) {
        all.push_back({Seconds(one), Seconds(one)});
    }
    return all;
}

// Pieces come each second, and an addition takes half of one.
Pace usual_pace(int reductions) {
    Pace pace(4);
    for (int i = 0; i < reductions; ++i) {
        pace.learn(arrivals({10.0 * i, 10.0 * i + 1, 10.0 * i + 2, 10.0 * i + 3}));
        for (int addition = 0; addition < 4; ++addition) {
            EXPECT_TRUE(pace.learn_addition(Seconds(0.5)));
        }
    }
    return pace;
}

TEST(Pace, IsNotKnownFromAFewReductions) {
    EXPECT_FALSE(usual_pace(3).is_known());
    EXPECT_TRUE(usual_pace(4).is_known());
}

TEST(Pace, IsPatientForAnAdditionAndThriceWhatWasSeen) {
    Pace pace = usual_pace(4);
    EXPECT_DOUBLE_EQ(pace.patience().count(), 0.5);
    pace.learn(arrivals({50, 51.4, 52.4, 53.4}));
    EXPECT_NEAR(pace.patience().count(), 3 * 0.4, 1e-9);
    for (int i = 0; i < 60; ++i) {
        pace.learn(arrivals({60, 61, 62, 63}));
    }
    EXPECT_DOUBLE_EQ(pace.patience().count(), 0.5);
}

TEST(Pace, DoesNotLearnFromALateAddition) {
    Pace pace = usual_pace(4);
    EXPECT_FALSE(pace.learn_addition(Seconds(5)));
    EXPECT_DOUBLE_EQ(pace.patience().count(), 0.5);
}

TEST(Pace, TakesARankThatStaysSlowerForASlowerOne) {
    Pace pace = usual_pace(4);
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(pace.learn_addition(Seconds(5)));
    }
    EXPECT_TRUE(pace.learn_addition(Seconds(5)));
    EXPECT_EQ(pace.patience(), Seconds(5));
    EXPECT_TRUE(pace.learn_addition(Seconds(1)));
    EXPECT_EQ(pace.patience(), Seconds(3));
}

TEST(Pace, CountsLateAdditionsInARowOnly) {
    Pace pace = usual_pace(4);
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(pace.learn_addition(Seconds(5)));
        EXPECT_TRUE(pace.learn_addition(Seconds(0.5)));
    }
}

TEST(Schedule, ExpectsNothingBeforeTheFirstPieceNorFromAnUnknownPace) {
    const Pace known = usual_pace(4);
    EXPECT_EQ(Schedule(known).deadline(0), never);
    const Pace unknown = usual_pace(3);
    Schedule schedule(unknown);
    schedule.came(0, Seconds(100));
    EXPECT_EQ(schedule.deadline(1), never);
}

TEST(Schedule, MovesWithTheOthersAndNotWithThisRanksLateness) {
    const Pace pace = usual_pace(4);
    Schedule schedule(pace);
    schedule.came(0, Seconds(100));
    EXPECT_DOUBLE_EQ(schedule.deadline(2).count(), 102.5);
    // This rank was busy until 109, and knows that the piece did not come before 101.
    schedule.came(1, Seconds(101));
    EXPECT_DOUBLE_EQ(schedule.deadline(2).count(), 102.5);
    // It came just then: all are later by 0.3.
    schedule.came(2, Seconds(102.3));
    EXPECT_DOUBLE_EQ(schedule.deadline(3).count(), 103.8);
}

}  // namespace
}  // namespace hora::mpi
