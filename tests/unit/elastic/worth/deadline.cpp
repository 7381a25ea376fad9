// Is no job taken below what it needs to end before its time limit ends it?
#include "libplanner/elastic/worth/deadline.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

constexpr Seconds rescale{10};
constexpr double endless = std::numeric_limits<double>::infinity();

// 10 epochs of 100, 50, 33.3, … seconds on 1, 2, 3, … of up to 8 GPUs; requests 2.
ElasticJob& add(MadeState& made, std::uint32_t gpus, double left) {
    std::vector<double> seconds;
    for (int g = 1; g <= 8; ++g) {
        seconds.push_back(100.0 / g);
    }
    ElasticJob& job = made.add(gpus, 10, seconds);
    job.requested = 2;
    if (gpus > 0) {
        job.started = Seconds(0);
    }
    job.deadline = {.left = Seconds(left), .epochs = 10};
    return job;
}

TEST(Deadline, ASizeIsNeededIfFewerWouldNotEndInTime) {
    struct Case {
        const char* name;
        std::uint32_t gpus;
        double left;
        double epochs;
        std::uint32_t needed;
        bool is_enough;
    };
    const Case cases[] = {
        {"all the time in the world", 4, 1e6, 10, 1, true},
        // 1000 s of work, a tenth more, and the restart: 1110 on one.
        {"one is just enough", 4, 1110, 10, 1, true},
        {"one is just too slow", 4, 1109, 10, 2, true},
        {"on what it holds it needs no restart and no tenth", 4, 250, 10, 4, true},
        {"what it holds is too slow by a second", 4, 249, 10, 5, true},
        {"even the largest is too slow: its own request", 4, 100, 10, 2, false},
        {"how long it takes is not known: its own request", 4, 1e9, endless, 2, false},
        {"it is over already: its own request", 4, -5, 10, 2, false},
        {"one that waits is to start on enough", 0, 600, 10, 2, true},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        ElasticJob& job = add(made, each.gpus, each.left);
        job.deadline->epochs = each.epochs;
        const NeededSize needed = needed_size(job, rescale);
        EXPECT_EQ(needed.gpus, each.needed);
        EXPECT_EQ(needed.is_enough, each.is_enough);
    }
}

TEST(Deadline, WhatIsNotSureCountsAsSlower) {
    MadeState made;
    ElasticJob& job = add(made, 4, 1110);
    const std::vector<double> uncertainty{0.2, 0.2, 0.2, 0, 0.2, 0.2, 0.2, 0.2};
    job.uncertainty = uncertainty;
    EXPECT_EQ(needed_size(job, rescale).gpus, 2U);
}

TEST(Deadline, ASlowerSizeInBetweenIsNotPassed) {
    MadeState made;
    ElasticJob& job = made.add(4, 10, {50, 50, 1000, 50});
    job.deadline = {.left = Seconds(1000), .epochs = 10};
    EXPECT_EQ(needed_size(job, rescale).gpus, 4U);
}

// Of 10 epochs of 100 s on one GPU, 50 on the two of its request; a restart takes 60.
TEST(Deadline, InGpuTimeFewerGpusHaveLonger) {
    struct Case {
        const char* name;
        std::uint32_t gpus;
        double left;  // of its limit on its own request
        double longest;
        std::uint32_t needed;
        bool is_enough;
        double uncertainty = 0;  // of its time on one
    };
    const Case cases[] = {
        {"half of its request has twice the time: 1160 s", 2, 580, endless, 1, true},
        {"which is too short by a second", 2, 579.5, endless, 2, true},
        {"what is not known of fewer is of no matter", 2, 580, endless, 1, true, 5},
        {"no longer than Slurm takes", 2, 580, 1159, 2, true},
        {"more than its request has no more time", 4, 249, endless, 6, true},
        {"one that waits needs no restart", 0, 100, endless, 1, true},
        {"nor a limit that it would end within, but one", 0, -1, endless, 2, false},
        {"a restart is too much of what is left: as on its request", 2, 100, endless, 2, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        ElasticJob& job = add(made, each.gpus, each.left);
        const std::vector<double> uncertainty{each.uncertainty, 0, 0, 0, 0, 0, 0, 0};
        job.uncertainty = uncertainty;
        job.deadline->gpu_time = {
            .left = Seconds(each.left), .gpus = 2, .longest = Seconds(each.longest)};
        const NeededSize needed = needed_size(job, Seconds(60));
        EXPECT_EQ(needed.gpus, each.needed);
        EXPECT_EQ(needed.is_enough, each.is_enough);
    }
}

// Between its request, 2, and the 6 that it holds lie sizes of which little is known.
TEST(Deadline, InGpuTimeASizeThatIsNotSlowerThanItsRequestGetsAsFar) {
    struct Case {
        const char* name;
        double uncertainty;  // on 3 to 5
        std::uint32_t needed;
    };
    const Case cases[] = {
        {"though it may be too slow for what is left", 0.4, 1},
        {"3 may be slower than its request", 0.6, 4},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        ElasticJob& job = add(made, 6, 170);  // 166.7 s are left on 6, 500 on its request
        const double of_them = each.uncertainty;
        const std::vector<double> uncertainty{0, 0, of_them, of_them, of_them, 0, 0, 0};
        job.uncertainty = uncertainty;
        job.deadline->gpu_time = {.left = Seconds(170), .gpus = 2};
        EXPECT_EQ(needed_size(job, Seconds(1)).gpus, each.needed);
    }
}

// On one of its 2 GPUs its limit lasts twice as long.
TEST(Deadline, InGpuTimeWhoIsBehindGrowsBeyondItsRequestOrNotAtAll) {
    struct Case {
        const char* name;
        double left;   // of its limit on its own request, of which 500 s are needed
        double ended;  // when its own request would have
        double longest;
        std::uint32_t size;
    };
    const Case cases[] = {
        {"its own request would have ended in time", 480, 980, endless, 3},
        {"nor would that", 480, 981, endless, 0},
        {"it is behind by far", 60, 500, endless, 0},
        {"on one it has no longer limit", 480, 980, 480, 2},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        ElasticJob& job = add(made, 1, 2 * each.left);
        job.deadline->left = Seconds(std::min(2 * each.left, each.longest));
        job.deadline->gpu_time = {
            .left = Seconds(each.left), .gpus = 2, .longest = Seconds(each.longest)};
        job.attained = 1000;
        job.own_end = Seconds(each.ended);
        EXPECT_EQ(late_size(job, Seconds(1000), Seconds(0.5)), each.size);
    }
}

// Whatever its owner says of what is left.
TEST(Deadline, InGpuTimeARestartThatTakesNextToNothingIsNoDanger) {
    for (const double epochs : {10.0, 1e6, endless}) {
        MadeState made;
        ElasticJob& job = add(made, 2, 500);
        job.deadline->epochs = epochs;
        job.deadline->gpu_time = {.left = Seconds(500), .gpus = 2};
        EXPECT_EQ(needed_size(job, Seconds(10)).gpus, 1U);
        EXPECT_EQ(needed_size(job, Seconds(10.1)).gpus, 2U);
        EXPECT_EQ(least_fallback(job, 2, Seconds(5)), 1U);
        EXPECT_FALSE(endangers(job, 1, Seconds(10)));
    }
}

TEST(Deadline, WithoutATimeLimitNothingIsNeeded) {
    MadeState made;
    ElasticJob& job = add(made, 4, 1);
    job.deadline.reset();
    heed_deadlines(made.state);
    EXPECT_EQ(job.min, 1U);
    EXPECT_EQ(late_size(job, Seconds(0), rescale), 0U);
    EXPECT_EQ(least_fallback(job, 4, rescale), 1U);
    EXPECT_FALSE(endangers(job, 1, rescale));
}

TEST(Deadline, RaisesTheLeast) {
    struct Case {
        const char* name;
        std::uint32_t gpus;
        double left;
        std::uint32_t min;
    };
    const Case cases[] = {
        {"to what is needed", 4, 600, 2},
        {"to no more than it holds", 4, 200, 4},
        {"of one that waits to no more than it requested", 0, 300, 2},
        {"of one that ends on none to its own request", 4, 50, 2},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        made.state.rescale = rescale;
        const ElasticJob& job = add(made, each.gpus, each.left);
        heed_deadlines(made.state);
        EXPECT_EQ(job.min, each.min);
    }
}

TEST(Deadline, WhoIsLateIsOwedMoreWithinHisOwnRequest) {
    struct Case {
        const char* name;
        std::uint32_t gpus;
        double left;
        bool is_behind;  // for want of GPUs: his own request would have ended in time
        std::uint32_t size;
    };
    const Case cases[] = {
        {"he ends in time", 1, 1000, false, 0},
        {"his own request is enough", 1, 700, false, 2},
        {"it takes more, and he asked for too little", 1, 400, false, 0},
        {"it takes more, since he had less for a while", 1, 400, true, 3},
        {"nothing is enough: his own request by all means", 1, 100, false, 2},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        ElasticJob& job = add(made, each.gpus, each.left);
        const double end = 1000 + each.left + (each.is_behind ? -1 : 1);
        job.own_end = Seconds(end);
        EXPECT_EQ(late_size(job, Seconds(1000), rescale), each.size);
    }
}

TEST(Deadline, WhoIsLateComesBeforeWhoWaits) {
    MadeState made;
    add(made, 1, 700);
    add(made, 3, 1e6);
    add(made, 0, 1e6);
    made.state.gpus = 4;
    made.state.rescale = rescale;
    heed_deadlines(made.state);
    const Allocation answer = (*make_policy("hora"))->decide(made.state);
    EXPECT_EQ(answer.gpus, (std::vector<std::uint32_t>{2, 1, 1}));
}

TEST(Deadline, FallsBackToNoLessThanEndsInTime) {
    struct Case {
        const char* name;
        std::uint32_t gpus;
        std::uint32_t to;
        double left;
        std::uint32_t fallback;
    };
    const Case cases[] = {
        {"it has all the time in the world", 2, 8, 1e6, 1},
        {"after a restart not even what it holds is enough", 2, 8, 505, 3},
        {"where `to` is not enough, what it had is as good", 1, 2, 100, 1},
        {"but it was shrunk to no less than its request", 4, 3, 100, 2},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        EXPECT_EQ(least_fallback(add(made, each.gpus, each.left), each.to, rescale), each.fallback);
    }
}

TEST(Deadline, GrowthThatTheRestartMakesTooLateIsADanger) {
    MadeState made;
    const ElasticJob& job = add(made, 2, 500);
    EXPECT_FALSE(endangers(job, 4, rescale));
    EXPECT_TRUE(endangers(job, 2, rescale));
    EXPECT_FALSE(endangers(add(made, 2, 499), 3, rescale)) << "it is late as it is";
}

// Some of the jobs get a time limit, and some of their times are uncertain.
void put_deadlines(MadeState& made, std::deque<std::vector<double>>& uncertainties) {
    for (ElasticJob& job : made.state.jobs) {
        if (*rc::gen::inRange(0, 4) == 0) {
            continue;
        }
        const double epochs = *rc::gen::inRange(0, 8) == 0 ? endless : job.epochs_left;
        job.deadline = {.left = Seconds(*rc::gen::inRange(-10, 4000)), .epochs = epochs};
        if (*rc::gen::arbitrary<bool>()) {
            const auto gpus =
                static_cast<std::uint32_t>(*rc::gen::inRange<std::uint64_t>(1, job.requested + 1));
            job.deadline->gpu_time = {
                .left = job.deadline->left * std::min(1.0, double(job.gpus) / gpus),
                .gpus = gpus,
                .longest = Seconds(*rc::gen::element(500.0, endless))};
        }
        if (*rc::gen::arbitrary<bool>()) {
            std::vector<double>& uncertainty = uncertainties.emplace_back();
            for (std::size_t i = 0; i < job.epoch_seconds.size(); ++i) {
                uncertainty.push_back(*rc::gen::inRange(0, 5) / 10.0);
            }
            job.uncertainty = uncertainty;
        }
    }
}

// Of its work on `size` GPUs, with what is thought of the time there.
double cautious_rest(const ElasticJob& job, std::uint32_t size) {
    const double uncertainty = job.uncertainty.empty() ? 0 : job.uncertainty[size - 1];
    return job.deadline->epochs * job.epoch_seconds[size - 1].count() * (1.1 + 2 * uncertainty);
}

bool is_in_time(const ElasticJob& job, std::uint32_t gpus, Seconds cost) {
    const domain::Deadline& deadline = *job.deadline;
    if (gpus == job.gpus) {
        const double uncertainty = job.uncertainty.empty() ? 0 : job.uncertainty[gpus - 1];
        return deadline.epochs * job.epoch_seconds[gpus - 1].count() * (1 + uncertainty) <=
               deadline.left.count();
    }
    const double restarted = cost.count() + cautious_rest(job, gpus);
    if (!deadline.gpu_time) {
        return restarted <= deadline.left.count();
    }
    const double own = deadline.gpu_time->left.count();
    const std::uint32_t stated = deadline.gpu_time->gpus;
    const double longest = deadline.gpu_time->longest.count();
    const double uncertainty = job.uncertainty.empty() ? 0 : job.uncertainty[gpus - 1];
    const bool is_slower =
        job.epoch_seconds[gpus - 1].count() * (1 + uncertainty) > epoch_time(job, stated).count();
    const double longer = std::max(1.0, double(stated) / gpus);
    const double restart = job.gpus > 0 ? cost.count() / longer : 0;
    const bool gets_as_far = (gpus <= stated || !is_slower) && own * longer <= longest &&
                             (restart <= own * 0.01 || restart + cautious_rest(job, stated) <= own);
    return restarted <= std::min(own * longer, longest) || gets_as_far;
}

std::vector<std::uint32_t> sizes_of(const ElasticJob& job) {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t g = job.min; g <= job.max; ++g) {
        if (g == job.gpus || job.sizes.empty() ||
            std::find(job.sizes.begin(), job.sizes.end(), g) != job.sizes.end()) {
            sizes.push_back(g);
        }
    }
    return sizes;
}

// The least from which on every size up to the held one is in time, if that is; else the least
// that is; 0: none.
std::uint32_t least_by_trial(const ElasticJob& job, Seconds cost) {
    const auto sizes = sizes_of(job);
    const auto is_good = [&](std::uint32_t g) { return is_in_time(job, g, cost); };
    for (const std::uint32_t size : sizes) {
        const bool is_held_good = job.gpus > 0 && is_good(job.gpus);
        const bool are_all_good = std::all_of(sizes.begin(), sizes.end(), [&](std::uint32_t g) {
            return g < size || g > std::max(size, job.gpus) || is_good(g);
        });
        if (is_held_good ? are_all_good : is_good(size)) {
            return size;
        }
    }
    return 0;
}

RC_GTEST_PROP(Deadline, NeedsWhatTrialFinds, ()) {
    MadeState made;
    std::deque<std::vector<double>> uncertainties;
    make_up(made);
    put_deadlines(made, uncertainties);
    for (const ElasticJob& job : made.state.jobs) {
        if (!job.deadline || !job.is_elastic) {
            continue;
        }
        const NeededSize needed = needed_size(job, made.state.rescale);
        const std::uint32_t least = least_by_trial(job, made.state.rescale);
        RC_ASSERT(needed.is_enough == (least > 0));
        RC_ASSERT(least == 0 || needed.gpus == least);
        RC_ASSERT(least > 0 || needed.gpus <= std::max({job.requested, job.min, job.gpus}) ||
                  needed.gpus == lowest_size(job));
    }
}

RC_GTEST_PROP(Deadline, NoPolicyShrinksAJobPastIt, ()) {
    MadeState made;
    std::deque<std::vector<double>> uncertainties;
    make_up(made);
    put_deadlines(made, uncertainties);
    const domain::ElasticState before = made.state;
    heed_deadlines(made.state);
    const std::string name{policies()[*rc::gen::inRange<std::size_t>(0, policies().size())].name};
    RC_TAG(name);
    const Allocation answer = (*make_policy(name))->decide(made.state);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < answer.gpus.size(); ++i) {
        const ElasticJob& job = before.jobs[i];
        const std::uint32_t gpus = answer.gpus[i];
        sum += gpus;
        RC_ASSERT(job.gpus == 0 || gpus > 0);
        if (!job.deadline || !job.is_elastic || job.gpus == 0 || gpus >= job.gpus) {
            continue;
        }
        const std::uint32_t least = least_by_trial(job, before.rescale);
        RC_ASSERT(!is_in_time(job, job.gpus, before.rescale) ||
                  is_in_time(job, gpus, before.rescale));
        RC_ASSERT(gpus >= std::min(job.gpus, least > 0 ? least : largest_size(job, job.requested)));
    }
    RC_ASSERT(sum <= made.state.gpus);
}

}  // namespace
}  // namespace hora::elastic
