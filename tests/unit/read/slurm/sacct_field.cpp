// Is a field of accounting read as Slurm means it?
#include "libplanner/read/slurm/sacct_field.hpp"

#include <gtest/gtest.h>

#include <string>

#include <limits>
#include <optional>

namespace hora::read {
namespace {

struct TimeCase {
    const char* name;
    const char* text;
    std::optional<double> wanted;
};

TEST(SacctTime, IsSecondsSince1970) {
    const TimeCase cases[] = {
        {"the first second", "1970-01-01T00:00:00", 0},
        {"a day of a leap year", "2024-02-29T12:30:05", 1709209805},
        {"after it", "2024-03-01T00:00:00", 1709251200},
        {"seconds themselves", "1709251200", 1709251200},
        {"a century without a leap day", "2100-02-29T00:00:00", std::nullopt},
        {"no such month", "2024-13-01T00:00:00", std::nullopt},
        {"no such hour", "2024-12-01T24:00:00", std::nullopt},
        {"not known", "Unknown", std::nullopt},
        {"not started", "None", std::nullopt},
        {"something behind", "2024-12-01T00:00:00Z", std::nullopt},
        {"empty", "", std::nullopt},
    };
    for (const TimeCase& each : cases) {
        SCOPED_TRACE(each.name);
        const auto time = read_sacct_time(each.text);
        EXPECT_EQ(time.has_value(), each.wanted.has_value());
        EXPECT_EQ(time.value_or(Seconds(0)).count(), each.wanted.value_or(0));
    }
}

TEST(TimeLimit, IsMinutesOrWhatSbatchTakes) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const TimeCase cases[] = {
        {"minutes, as TimelimitRaw has them", "90", 5400},
        {"minutes and seconds", "90:30", 5430},
        {"hours, minutes and seconds", "01:30:05", 5405},
        {"days and hours", "1-12", 129600},
        {"days, hours and minutes", "1-12:10", 130200},
        {"as Timelimit has them", "2-00:00:30", 172830},
        {"none", "UNLIMITED", none},
        {"the partition's, which is not given", "Partition_Limit", none},
        {"not known", "", none},
        {"nothing", "00:00:00", none},
        {"a fraction", "1.5", std::nullopt},
        {"too many parts", "1:2:3:4", std::nullopt},
        {"too many behind days", "1-2:3:4:5", std::nullopt},
        {"days of nothing", "1-", std::nullopt},
        {"a part of nothing", "1:", std::nullopt},
        {"below zero", "-5", std::nullopt},
        {"what Slurm calls none", "INVALID", none},
        {"a word", "unlimited", std::nullopt},
        {"beyond all counts", "99999999999", std::nullopt},
    };
    for (const TimeCase& each : cases) {
        SCOPED_TRACE(each.name);
        const auto limit = read_time_limit(each.text);
        EXPECT_EQ(limit.has_value(), each.wanted.has_value());
        EXPECT_EQ(limit.value_or(Seconds(0)).count(), each.wanted.value_or(0));
    }
}

TEST(Elapsed, IsALengthOfTime) {
    std::string endless = "1";
    for (int i = 0; i < 200; ++i) {
        endless += ":1";
    }
    const TimeCase cases[] = {
        {"hours", "02:03:04", 7384},
        {"days", "1-02:03:04", 93784},
        {"minutes", "03:04", 184},
        {"seconds, raw", "14400", 14400},
        {"with a part", "00:00.500", 0.5},
        {"nothing", "", std::nullopt},
        {"a word", "Unknown", std::nullopt},
        {"below nothing", "-5", std::nullopt},
        {"an open end", "01:", std::nullopt},
        {"more parts than there are units", endless.c_str(), std::nullopt},
    };
    for (const TimeCase& each : cases) {
        SCOPED_TRACE(each.name);
        const auto time = read_elapsed(each.text);
        EXPECT_EQ(time.has_value(), each.wanted.has_value());
        EXPECT_EQ(time.value_or(Seconds(0)).count(), each.wanted.value_or(0));
    }
}

struct TresCase {
    const char* name;
    const char* text;
    std::optional<std::uint32_t> gpus;
    std::uint32_t nodes;
};

TEST(Tres, CountsGpusOnce) {
    const TresCase cases[] = {
        {"the total stands beside its types",
         "cpu=8,gres/gpu:a100=3,gres/gpu:h100=1,gres/gpu=4,node=2", 4, 2},
        {"types alone are summed", "gres/gpu:a100=3,gres/gpu:h100=1,node=1", 4, 1},
        {"none", "billing=8,cpu=8,mem=64G,node=1", 0, 1},
        {"memory of GPUs is none", "gres/gpumem=80G,gres/gpuutil=50", 0, 0},
        {"empty", "", 0, 0},
        {"no number", "gres/gpu=four", std::nullopt, 0},
        {"no count", "gres/gpu", std::nullopt, 0},
    };
    for (const TresCase& each : cases) {
        SCOPED_TRACE(each.name);
        const auto count = read_tres(each.text);
        EXPECT_EQ(count.has_value(), each.gpus.has_value());
        EXPECT_EQ(count.value_or(TresCount{}).gpus, each.gpus.value_or(0));
        EXPECT_EQ(count.value_or(TresCount{}).nodes, each.nodes);
    }
}

}  // namespace
}  // namespace hora::read
