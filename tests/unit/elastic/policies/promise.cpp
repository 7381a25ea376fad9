// Is a job owed what lets it end with its slot, and no more?
#include "libplanner/elastic/policies/promise.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

constexpr Seconds now(1000);
const std::vector<double> linear{60, 30, 20, 15};

struct Case {
    const char* name;
    std::uint32_t gpus;
    double epochs_left;
    double slot_end;
    std::uint32_t wanted;
    std::vector<double> seconds = linear;
    std::vector<double> uncertainty = {};
    double rescale = 0;
};

TEST(Promise, OwesTheLeastThatEndsWithTheSlot) {
    const Case cases[] = {
        {"what it asked for, if it is where it would be on it", 2, 10, 1300, 2},
        {"less if it is ahead", 2, 10, 1600, 1},
        {"more if it fell behind", 2, 10, 1200, 3},
        {"a restart is to be made up for", 2, 10, 1601, 2, linear, {}, 2},
        {"but not where it stays", 1, 10, 1600, 1, linear, {}, 2},
        {"uncertain times on the safe side", 3, 10, 1600, 2, linear, {0.1, 0, 0, 0}},
        {"nothing can be done: as fast as its request", 1, 10, 1001, 2},
        {"as fast on fewer", 3, 10, 1001, 1, {60, 70, 20, 15}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        domain::ElasticJob& job = made.add(each.gpus, each.epochs_left, each.seconds);
        job.requested = 2;
        job.uncertainty = each.uncertainty;
        job.slot = domain::Slot{Seconds(900), Seconds(each.slot_end), 2};
        EXPECT_TRUE(is_owed(job, now));
        EXPECT_EQ(owed_size(job, now, Seconds(each.rescale)), each.wanted);
    }
}

TEST(Promise, SparesWhatSlotsLeaveOver) {
    MadeState made;
    made.state.now = now;
    made.state.ended = {{Seconds(900), Seconds(1100), 1}, {Seconds(1200), Seconds(1500), 1}};
    domain::ElasticJob& ahead = made.add(2, 10, linear);
    ahead.requested = 2;
    ahead.slot = domain::Slot{Seconds(900), Seconds(1600), 2};  // owed one
    domain::ElasticJob& comes = made.add(0, 1e6, linear);
    const auto fits = [&](double slot_start, std::uint32_t gpus) {
        comes.slot = domain::Slot{Seconds(slot_start), Seconds(1e9), 4};
        return SpareGpus(made.state).has(comes, gpus);
    };
    EXPECT_TRUE(fits(1100, 2)) << "the job that has ended, and the one that is ahead";
    EXPECT_FALSE(fits(1100, 3));
    EXPECT_FALSE(fits(1150, 2)) << "until it is over";
    EXPECT_TRUE(fits(1600, 1));
    EXPECT_FALSE(fits(1700, 1));
    comes.epochs_left = 1;
    EXPECT_TRUE(fits(1700, 1)) << "it has ended before";
    SpareGpus spare(made.state);
    spare.take(comes, 1);
    EXPECT_TRUE(spare.has(comes, 1));
    EXPECT_FALSE(spare.has(comes, 2));
}

}  // namespace
}  // namespace hora::elastic
