// Which sizes does a job have?
#include "libplanner/elastic/worth/sizes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::elastic {
namespace {

domain::ElasticJob elastic_job(std::uint32_t min, std::uint32_t max,
                               const std::vector<std::uint32_t>& sizes) {
    domain::ElasticJob job;
    job.min = min;
    job.max = max;
    job.sizes = sizes;
    return job;
}

struct Case {
    const char* name;
    std::uint32_t min;
    std::uint32_t max;
    std::vector<std::uint32_t> sizes;
    std::uint32_t gpus;
    std::uint32_t next;
    std::uint32_t largest;
};

TEST(Sizes, KeepToMinMaxAndTheList) {
    const Case cases[] = {
        {"each size from min to max", 2, 5, {}, 3, 4, 3},
        {"after nothing comes min", 2, 5, {}, 0, 2, 0},
        {"below min there is nothing", 2, 5, {}, 1, 2, 0},
        {"after max comes nothing", 2, 5, {}, 5, 0, 5},
        {"beyond max it is max", 2, 5, {}, 9, 0, 5},
        {"a list leaves gaps", 1, 9, {1, 2, 4, 8}, 5, 8, 4},
        {"a list's end is the end", 1, 9, {1, 2, 4, 8}, 8, 0, 8},
        {"listed sizes below min do not count", 2, 9, {1, 4}, 3, 4, 0},
        {"listed sizes above max do not count", 1, 6, {4, 8}, 4, 0, 4},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const domain::ElasticJob job = elastic_job(each.min, each.max, each.sizes);
        EXPECT_EQ(next_size(job, each.gpus), each.next);
        EXPECT_EQ(largest_size(job, each.gpus), each.largest);
    }
}

TEST(Sizes, OfARigidJobAreItsRequest) {
    domain::ElasticJob job;
    job.is_elastic = false;
    job.requested = 3;
    EXPECT_EQ(lowest_size(job), 3u);
    EXPECT_EQ(next_size(job, 0), 3u);
    EXPECT_EQ(next_size(job, 3), 0u);
    EXPECT_EQ(largest_size(job, 2), 0u);
    EXPECT_EQ(floor_size(job), 0u);
    job.gpus = 4;
    EXPECT_EQ(floor_size(job), 4u);
}

TEST(Sizes, TakeTheLastTimeBeyondTheEndOfTheCurve) {
    domain::ElasticJob job;
    const std::vector<Seconds> curve{Seconds(9), Seconds(5)};
    job.epoch_seconds = curve;
    job.epochs_left = 2;
    EXPECT_EQ(epoch_time(job, 1), Seconds(9));
    EXPECT_EQ(epoch_time(job, 8), Seconds(5));
    EXPECT_EQ(epoch_time(job, 0), Seconds(9));
    EXPECT_EQ(remaining_time(job, 2), Seconds(10));
}

}  // namespace
}  // namespace hora::elastic
