// Can a user's reports shift only that user's predictions?
#include "libplanner/cost/measured_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libplanner/cost/correction.hpp"

namespace hora::cost {
namespace {

MeasuredRun run(std::uint32_t uid, double ratio, std::uint32_t gpus = 4) {
    return {.uid = uid,
            .model = "resnet50",
            .device = "v100",
            .gpus = gpus,
            .nodes = 1,
            .predicted_compute = Seconds(0.3),
            .predicted_exchange = Seconds(0.1),
            .step = Seconds(0.4 * ratio),
            .steps = 100,
            .lost = Seconds(20 * ratio),
            .node_names = {"n1"}};
}

std::optional<domain::Correction> for_user(std::span<const MeasuredRun> runs, std::uint32_t uid) {
    return correction_of(measured_table(runs), uid, "resnet50", "v100");
}

TEST(MeasuredTable, SharesWhatThreeUsersMeasured) {
    std::vector<MeasuredRun> runs{run(1, 1.2), run(1, 1.2), run(1, 1.2), run(2, 1.3)};
    EXPECT_FALSE(for_user(runs, 9));
    EXPECT_TRUE(node_overheads(runs).empty());
    runs.push_back(run(3, 1.4));
    const auto correction = for_user(runs, 9);
    ASSERT_TRUE(correction);
    EXPECT_NEAR(0.75 * correction->compute + 0.25 * correction->exchange, 1.3, 0.01);
    EXPECT_EQ(correction->runs, 5U);
    EXPECT_EQ(correction->users, 3U);
    EXPECT_EQ(node_overheads(runs).at("n1"), Seconds(26));
}

TEST(MeasuredTable, CountsADeviceOnceHoweverItsTypeIsSpelled) {
    std::vector<MeasuredRun> runs{run(1, 1.2), run(2, 1.3), run(3, 1.4)};
    runs.back().device = "V100";
    EXPECT_TRUE(for_user(runs, 9)) << "three users measured it";
}

TEST(MeasuredTable, TellsTheOverheadOfAUsersRunsAndOfSeveralUsers) {
    domain::Cluster cluster;
    cluster.devices.push_back({});
    cluster.devices.back().name = "v100";
    cluster.nodes = {{.name = "n1", .overhead = Seconds(5), .cpus = 8}};
    cluster.gpus = {{.node = 0, .index = 0, .device = 0, .part = 0, .is_free = true}};
    std::vector<MeasuredRun> runs{run(1, 1), run(1, 1.5), run(1, 2)};
    runs.push_back(run(2, 1));
    runs.back().lost.reset();
    const auto overhead = [&](std::uint32_t uid) {
        return overheads_of(measured_table(runs), uid, "resnet50", cluster).front();
    };
    EXPECT_EQ(overhead(1), Seconds(30)) << "the median of 20, 30 and 40";
    EXPECT_FALSE(overhead(2)) << "he measured none";
    EXPECT_FALSE(overhead(9)) << "none was measured";
    runs.push_back(run(3, 1));
    EXPECT_FALSE(overhead(9)) << "of three users only two measured one";
    runs.push_back(run(4, 1.1));
    EXPECT_EQ(overhead(9), Seconds(22));
    cost::apply(overheads_of(measured_table(runs), 2, "resnet50", cluster), cluster);
    EXPECT_EQ(cluster.nodes[0].overhead, Seconds(5)) << "his own runs count, and say nothing";
    cost::apply(overheads_of(measured_table(runs), 1, "resnet50", cluster), cluster);
    EXPECT_EQ(cluster.nodes[0].overhead, Seconds(30));
}

TEST(MeasuredTable, TellsWhichShareOfAUsersStepsWaitsForLateRanks) {
    constexpr double endless = std::numeric_limits<double>::infinity();
    const struct {
        const char* sentence;
        std::vector<std::optional<double>> late;  // as a share of the step, by run
        std::optional<double> share;
    } cases[] = {
        {"no run recorded it", {{}, {}}, {}},
        {"the median of those that did", {0.5, {}, 0.25, 0.375}, 0.375},
        {"no step waited", {0.0}, 0.0},
        {"a whole step of waiting is not believed", {1.0, 0.25}, 0.25},
        {"nor are less than none, more than all, and no numbers",
         {-0.5, 2.0, endless, std::nan("")},
         {}},
    };
    for (const auto& each : cases) {
        std::vector<MeasuredRun> runs;
        for (const auto& late : each.late) {
            runs.push_back(run(1, 1.25));  // half a second
            runs.back().late =
                late ? std::optional(runs.back().step * *late) : std::optional<Seconds>();
        }
        EXPECT_EQ(measured_table(runs).front().late, each.share) << each.sentence;
    }
}

// What several users agree on is not theirs alone any more.
TEST(MeasuredTable, SharesNobodysLateRanks) {
    std::vector<MeasuredRun> runs;
    for (std::uint32_t uid = 1; uid <= least_users + 1; ++uid) {
        runs.push_back(run(uid, 1));
        runs.back().late = runs.back().step * 0.5;
    }
    for (const domain::MeasuredSpeed& speed : measured_table(runs)) {
        EXPECT_EQ(speed.late.has_value(), speed.uid.has_value());
    }
}

TEST(MeasuredTable, PrefersAUsersOwnRuns) {
    const std::vector<MeasuredRun> runs{run(1, 2), run(2, 1.3), run(3, 1.3), run(4, 1.3)};
    const auto own = for_user(runs, 1);
    ASSERT_TRUE(own);
    EXPECT_NEAR(0.75 * own->compute + 0.25 * own->exchange, 2, 0.02);
    EXPECT_EQ(own->users, 0U);
}

// Whatever one user reports, others get what the honest ones measured.
TEST(MeasuredTable, LetsNobodyShiftAnothersPlans) {
    EXPECT_TRUE(rc::check("LetsNobodyShiftAnothersPlans", [] {
        std::vector<MeasuredRun> runs;
        const auto honest = *rc::gen::inRange<std::uint32_t>(3, 7);
        for (std::uint32_t uid = 1; uid <= honest; ++uid) {
            runs.push_back(run(uid, 1.2));
        }
        constexpr std::uint32_t liar = 100;
        for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
            runs.insert(runs.begin(), run(liar, std::pow(10.0, *rc::gen::inRange(-12, 13) / 4.0)));
        }
        const auto correction = for_user(runs, 50);
        RC_ASSERT(correction.has_value());
        RC_ASSERT(std::abs(0.75 * correction->compute + 0.25 * correction->exchange - 1.2) < 0.01);
        for (std::uint32_t uid = 1; uid <= honest; ++uid) {
            const auto own = for_user(runs, uid);
            RC_ASSERT((own.has_value() && own->users == 0));
            RC_ASSERT(std::abs(0.75 * own->compute + 0.25 * own->exchange - 1.2) < 0.01);
        }
        RC_ASSERT(node_overheads(runs).at("n1") == Seconds(24));
    }));
}

TEST(MeasuredTable, BelievesNoAbsurdReport) {
    struct Case {
        const char* name;
        void (*spoil)(MeasuredRun&);
    };
    constexpr double endless = std::numeric_limits<double>::infinity();
    const Case cases[] = {
        {"no time", [](MeasuredRun& run) { run.step = Seconds(0); }},
        {"a negative time", [](MeasuredRun& run) { run.step = Seconds(-1); }},
        {"no number", [](MeasuredRun& run) { run.step = Seconds(std::nan("")); }},
        {"an endless time", [](MeasuredRun& run) { run.step = Seconds(endless); }},
        {"far too fast", [](MeasuredRun& run) { run.step = Seconds(0.001); }},
        {"far too slow", [](MeasuredRun& run) { run.step = Seconds(100); }},
        {"hardly any step", [](MeasuredRun& run) { run.steps = least_steps - 1; }},
        {"no GPU", [](MeasuredRun& run) { run.gpus = 0; }},
        {"more nodes than GPUs", [](MeasuredRun& run) { run.nodes = 5; }},
        {"nothing was predicted", [](MeasuredRun& run) { run.predicted_compute = Seconds(0); }},
        {"an endless prediction",
         [](MeasuredRun& run) { run.predicted_exchange = Seconds(endless); }},
    };
    for (const Case& each : cases) {
        MeasuredRun spoiled = run(1, 1);
        each.spoil(spoiled);
        EXPECT_TRUE(measured_table(std::vector{spoiled}).empty()) << each.name;
    }
    EXPECT_EQ(measured_table(std::vector{run(1, 1)}).size(), 1U);
}

TEST(MeasuredTable, StaysSmallAndKeepsTheNewest) {
    std::vector<MeasuredRun> runs;
    for (std::uint32_t uid = 0; uid < 100; ++uid) {
        for (std::uint32_t gpus = 1; gpus <= 50; ++gpus) {
            runs.push_back(run(uid, 1.5, gpus));
        }
    }
    const auto table = measured_table(runs);
    EXPECT_LE(table.size(), most_measured);
    const auto of_first = std::count_if(table.begin(), table.end(),
                                        [](const auto& entry) { return entry.uid == 0U; });
    EXPECT_EQ(of_first, static_cast<std::ptrdiff_t>(most_of_user));
    EXPECT_TRUE(std::any_of(table.begin(), table.end(),
                            [](const auto& entry) { return entry.uid == 0U && entry.gpus == 1; }));
}

TEST(MeasuredTable, NamesFilesByANumberAndSharesNone) {
    EXPECT_EQ(model_key("resnet50"), "resnet50");
    EXPECT_EQ(model_key("/home/ann/net.onnx"), model_key("net.onnx"));
    EXPECT_NE(model_key("net.onnx"), model_key("net2.onnx"));
    EXPECT_EQ(model_key("net.onnx").find("net"), std::string::npos);
    std::vector<MeasuredRun> runs{run(1, 2), run(2, 2), run(3, 2)};
    for (MeasuredRun& each : runs) {
        each.model = "net.onnx";
    }
    for (const auto& entry : measured_table(runs)) {
        EXPECT_TRUE(entry.uid.has_value());
    }
}

}  // namespace
}  // namespace hora::cost
