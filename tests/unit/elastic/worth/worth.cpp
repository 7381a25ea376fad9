// Is the worth of a size its speed-up, less what the restart takes, along the sizes that matter?
#include "libplanner/elastic/worth/worth.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

TEST(Worth, ShortJobsWeighMoreAmongMany) {
    EXPECT_EQ(shortness_among(0), 0);
    EXPECT_EQ(shortness_among(3), 0);
    EXPECT_GT(shortness_among(4), 0);
    EXPECT_EQ(shortness_among(6), 0.125);
    EXPECT_EQ(shortness_among(9), 0.25);
    EXPECT_EQ(shortness_among(100000), 0.25);
}

TEST(Worth, IsMoreUrgentWithLessToDo) {
    MadeState made;
    domain::ElasticJob& job = made.add(0, 2, {8});
    EXPECT_EQ(urgency(job, 0), 1);
    EXPECT_DOUBLE_EQ(urgency(job, 0.25), 0.5) << "16 s";
    job.epochs_left = 0;
    EXPECT_EQ(urgency(job, 0.25), 1) << "less than a second is one";
    job.epochs_left = 1e300;
    EXPECT_GT(urgency(job, 0.25), 0);
}

TEST(Worth, SpeedUpIsOnTheSafeSide) {
    MadeState made;
    domain::ElasticJob& job = made.add(0, 1, {8, 4, 2});
    EXPECT_EQ(speed_up(job, 0), 0);
    EXPECT_EQ(speed_up(job, 1), 1);
    EXPECT_EQ(speed_up(job, 3), 4);
    EXPECT_EQ(speed_up(job, 9), 4) << "the last time holds";
    const std::vector<double> uncertainty{0, 1};
    job.uncertainty = uncertainty;
    EXPECT_EQ(speed_up(job, 1), 1);
    EXPECT_LT(speed_up(job, 2), 2);
    EXPECT_DOUBLE_EQ(speed_up(job, 3), 2 * speed_up(job, 2)) << "the last uncertainty holds";
    job.gpus = 2;
    EXPECT_EQ(speed_up(job, 2), 2) << "what it holds is no guess";
    domain::ElasticJob unknown;
    EXPECT_EQ(speed_up(unknown, 1), 0);
}

// Sizes and their worth, from nothing up.
std::vector<std::pair<double, double>> points_of(const std::vector<WorthStep>& steps) {
    std::vector<std::pair<double, double>> points;
    double gpus = 0;
    double sum = 0;
    for (const WorthStep& step : steps) {
        sum += step.per_gpu * (step.gpus - gpus);
        gpus = step.gpus;
        points.emplace_back(gpus, sum);
    }
    return points;
}

// From the formula, with R/H of a job that was not restarted before.
double worth_of(const domain::ElasticJob& job, std::uint32_t gpus, double shortness,
                double rescale) {
    double kept = 1;
    if (job.gpus > 0 && gpus != job.gpus) {
        const double lasts = std::min(1800.0, remaining_time(job, job.gpus).count());
        kept = lasts > rescale ? 1 - rescale / lasts : 0;
    }
    return urgency(job, shortness) * kept * speed_up(job, gpus);
}

RC_GTEST_PROP(Worth, FollowsTheSizesThatNoMixtureBeats, ()) {
    MadeState made;
    make_up(made);
    const double shortness = 0.125;
    const double rescale = *rc::gen::inRange(0, 200);
    for (const domain::ElasticJob& job : made.state.jobs) {
        const auto steps = worth(job, shortness, Seconds(rescale), made.state.now);
        const auto points = points_of(steps);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            // The first one leads to the lowest size, which is not a matter of choice.
            if (i >= 1) {
                RC_ASSERT(steps[i].per_gpu > 0);
            }
            // RapidCheck evaluates both sides of an || in its assertions.
            if (i >= 2) {
                RC_ASSERT(steps[i].per_gpu < steps[i - 1].per_gpu);
            }
            const double own = worth_of(job, steps[i].gpus, shortness, rescale);
            RC_ASSERT(std::abs(points[i].second - own) < 1e-9);
        }
        std::vector<std::uint32_t> sizes;
        if (job.gpus > 0) {
            sizes.push_back(job.gpus);
        }
        for (std::uint32_t size = lowest_size(job); size > 0; size = next_size(job, size)) {
            sizes.push_back(size);
        }
        for (const std::uint32_t size : sizes) {
            const double own = worth_of(job, size, shortness, rescale);
            double line = points.empty() ? 0 : points.back().second;
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (size <= points[i].first) {
                    const auto [x, y] = i == 0 ? points[0] : points[i - 1];
                    const auto [next_x, next_y] = points[i];
                    line = i == 0 ? next_y : y + (next_y - y) * (size - x) / (next_x - x);
                    break;
                }
            }
            RC_ASSERT(own <= line + 1e-9);
        }
    }
}

TEST(Worth, CountsRestartsTheMoreTheOftenerTheyWere) {
    MadeState made;
    domain::ElasticJob& job = made.add(1, 1000, {10, 5});
    job.started = Seconds(0);
    const auto of_two = [&](Seconds now) {
        const auto steps = worth(job, 0, Seconds(90), now);
        return steps.size() < 2 ? 0 : points_of(steps)[1].second;
    };
    EXPECT_DOUBLE_EQ(of_two(Seconds(100)), 2 * (1 - 90.0 / 1800));
    job.restarts = 3;
    EXPECT_DOUBLE_EQ(of_two(Seconds(100)), 2 * (1 - 180.0 / 1800));
    EXPECT_DOUBLE_EQ(of_two(Seconds(3 * 1800)), 2 * (1 - 90.0 * (1 + 1.0 / 9) / 1800))
        << "once in half an hour";
    job.restarts = 300;
    EXPECT_EQ(of_two(Seconds(100)), 0);
    job.started.reset();
    job.restarts = 0;
    EXPECT_DOUBLE_EQ(of_two(Seconds(100)), 2 * (1 - 90.0 / 1800));
}

TEST(Worth, LeavesOutASizeThatIsNoFaster) {
    MadeState made;
    const auto steps = worth(made.add(0, 1, {10, 10, 5}), 0, Seconds(0), Seconds(0));
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[1].gpus, 3U);
    EXPECT_TRUE(worth(made.add(0, 1, {10, 10}), 0, Seconds(0), Seconds(0)).size() == 1U);
}

TEST(Worth, OfAJobWithoutSizesIsNothing) {
    MadeState made;
    domain::ElasticJob& job = made.add(0, 1, {10, 5});
    made.allow(job, {8});
    EXPECT_TRUE(worth(job, 0, Seconds(0), Seconds(0)).empty());
    job.gpus = 2;
    const auto held = worth(job, 0, Seconds(0), Seconds(0));
    ASSERT_EQ(held.size(), 1U) << "what it holds counts, though it is not allowed";
    EXPECT_EQ(held[0].gpus, 2U);
}

TEST(Worth, PaysIfItEndsSooner) {
    MadeState made;
    domain::ElasticJob& job = made.add(1, 10, {10, 5});  // 100 s, or 50
    EXPECT_TRUE(pays(job, 2, Seconds(49)));
    EXPECT_FALSE(pays(job, 2, Seconds(50)));
    EXPECT_FALSE(pays(job, 1, Seconds(0)));
    job.gpus = 2;
    EXPECT_FALSE(pays(job, 1, Seconds(0)));
    job.gpus = 0;
    EXPECT_TRUE(pays(job, 1, Seconds(1e9))) << "it waits";
}

}  // namespace
}  // namespace hora::elastic
