// Is a size that slurmctld found impossible not asked for again, and any other one still?
#include "scripts/horad/elastic/found_limits.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;

// Job 7 of 2 GPUs was to have 4.
Resized resized(Ending ending, std::uint32_t wanted) {
    Resized made;
    made.entry.resize.job = 7;
    made.entry.resize.from = 2;
    made.entry.resize.to = 4;
    made.entry.was = shape_with(2);
    made.entry.wanted = shape_with(wanted);
    made.ending = ending;
    return made;
}

Observation seen(std::int64_t when, std::uint32_t job) {
    Observation made;
    made.now = when;
    made.jobs.emplace_back();
    made.jobs.back().id = job;
    return made;
}

TEST(FoundLimits, AreLearntOnlyFromWhatSlurmctldFindsImpossible) {
    struct Case {
        const char* name;
        Resized resized;
        std::optional<std::uint32_t> most;
    };
    Case cases[] = {
        {"went back to its old request", resized(Ending::other_size, 2), 3},
        {"slurmctld does not even free it", resized(Ending::refused, 2), 3},
        {"taken back while it waited", resized(Ending::reverted, 4), 3},
        {"done", resized(Ending::done, 4), std::nullopt},
        {"restarted by itself", resized(Ending::other_size, 4), std::nullopt},
        {"refused before anything was done", resized(Ending::refused, 4), std::nullopt},
        {"its owner holds it", resized(Ending::held, 2), std::nullopt},
        {"others took the GPUs", resized(Ending::other_size, 2), std::nullopt},
        {"was to shrink", resized(Ending::reverted, 4), std::nullopt},
    };
    cases[7].resized.entry.has_fallen_back = true;
    cases[8].resized.entry.resize.to = 1;
    for (const Case& one : cases) {
        FoundLimits limits;
        limits.learn(one.resized, now);
        EXPECT_EQ(limits.most(7), one.most) << one.name;
        EXPECT_EQ(limits.most(8), std::nullopt) << one.name;
    }
}

TEST(FoundLimits, HoldForHoursAndNoLongerThanTheJob) {
    struct Case {
        const char* name;
        Observation seen;
        std::optional<std::uint32_t> most;
    };
    const Case cases[] = {
        {"an hour later", seen(now + 3600, 7), 3},
        {"seven hours later", seen(now + 7 * 3600, 7), std::nullopt},
        {"the clock was set back by a day", seen(now - 86'400, 7), std::nullopt},
        {"the job is gone", seen(now + 1, 8), std::nullopt},
    };
    for (const Case& one : cases) {
        FoundLimits limits;
        limits.learn(resized(Ending::reverted, 4), now);
        limits.forget_gone(one.seen);
        EXPECT_EQ(limits.most(7), one.most) << one.name;
    }
}

}  // namespace
}  // namespace hora::horad
