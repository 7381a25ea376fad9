// What is left of a job at a moment, and where does it stand among the others?
#include "libplanner/sim/active_job.hpp"

#include <gtest/gtest.h>

namespace hora::sim {
namespace {

TEST(ActiveJob, TrainsFromTheEndOfItsRescale) {
    ActiveJob job;
    job.left = 3;
    job.trains_from = Seconds(100);
    job.epoch = Seconds(10);
    EXPECT_EQ(job.left_at(Seconds(50)), 3) << "it is rescaled until 100 s";
    EXPECT_EQ(job.left_at(Seconds(100)), 3);
    EXPECT_EQ(job.left_at(Seconds(115)), 1.5);
    EXPECT_EQ(job.left_at(Seconds(130)), 0);
    EXPECT_EQ(job.left_at(Seconds(999)), 0) << "not less than nothing";
}

TEST(ActiveJob, IsAsLongAsItsOwnerSays) {
    domain::TraceJob job;
    job.epochs = 10;
    EXPECT_EQ(stated_left(job, 4), 4);
    job.stated_epochs = 13;
    EXPECT_EQ(stated_left(job, 4), 7);
    job.stated_epochs = 5;
    EXPECT_DOUBLE_EQ(stated_left(job, 4), 0.6) << "it should have ended by its owner's word";
}

TEST(ActiveJob, TakesNoMoreThanTheClusterHas) {
    domain::TraceJob job;
    job.min = 2;
    job.max = 16;
    job.sizes = {2, 4, 16};
    job.requested = 4;
    job.epochs = 7;
    job.submitted = Seconds(5);
    const domain::ElasticJob small = as_submitted(3, job, 8);
    EXPECT_EQ(small.id, 3U);
    EXPECT_EQ(small.max, 8U);
    EXPECT_EQ(small.min, 2U);
    EXPECT_EQ(small.requested, 4U);
    EXPECT_EQ(small.epochs_left, 7);
    EXPECT_EQ(small.submitted, Seconds(5));
    EXPECT_EQ(std::vector(small.sizes.begin(), small.sizes.end()), job.sizes);
    EXPECT_EQ(small.gpus, 0U);
    EXPECT_TRUE(small.is_elastic);
    EXPECT_EQ(as_submitted(3, job, 99).max, 16U);
    job.is_elastic = false;
    EXPECT_FALSE(as_submitted(3, job, 8).is_elastic);
}

std::vector<ActiveJob> jobs(const std::vector<std::uint32_t>& numbers) {
    std::vector<ActiveJob> made;
    for (const std::uint32_t number : numbers) {
        made.emplace_back().job = number;
    }
    return made;
}

TEST(ActiveJob, IsFoundByItsPlaceInTheTrace) {
    const std::vector<ActiveJob> active = jobs({2, 5, 9});
    const std::size_t places[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3};
    for (std::uint32_t job = 0; job < std::size(places); ++job) {
        EXPECT_EQ(place_of(job, active), places[job]) << job;
    }
    EXPECT_EQ(place_of(7, {}), 0U);
}

TEST(ActiveJob, ThatHasEndedIsTakenOutOfBothLists) {
    for (std::uint32_t ended = 0; ended < 1U << 4U; ++ended) {
        std::vector<ActiveJob> active = jobs({0, 1, 2, 3});
        std::vector<domain::ElasticJob> seen(4);
        std::vector<std::uint32_t> left;
        for (std::uint32_t place = 0; place < 4; ++place) {
            seen[place].id = place;
            active[place].has_ended = (ended >> place & 1U) != 0;
            if (!active[place].has_ended) {
                left.push_back(place);
            }
        }
        remove_ended(active, seen);
        ASSERT_EQ(active.size(), left.size()) << ended;
        ASSERT_EQ(seen.size(), left.size()) << ended;
        for (std::size_t place = 0; place < left.size(); ++place) {
            EXPECT_EQ(active[place].job, left[place]) << ended;
            EXPECT_EQ(seen[place].id, left[place]) << ended;
        }
    }
}

}  // namespace
}  // namespace hora::sim
