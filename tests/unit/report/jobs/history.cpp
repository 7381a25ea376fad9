// Does `hora history` print what stands in tests/golden/history, and are its figures right?
#include "libplanner/report/jobs/history.hpp"

#include <gtest/gtest.h>

#include "tests/unit/report/golden.hpp"
#include "tests/unit/report/some_rescales.hpp"

namespace hora::report {
namespace {

using hora::testing::expect_golden;

MeasuredRun run(std::uint32_t gpus, std::optional<Seconds> predicted, double measured) {
    return {.job = 12,
            .model = "resnet50",
            .device = "titanx",
            .gpus = gpus,
            .nodes = 1,
            .predicted = predicted,
            .measured = Seconds(measured),
            .steps = 100,
            .submitted = 0,
            .restarts = 0,
            .when = 0,
            .lost = {}};
}

TEST(History, TakesTheMedianOfTheRunsOfASize) {
    const auto sizes = by_size({run(2, Seconds(0.1), 0.2), run(1, std::nullopt, 0.4),
                                run(2, Seconds(0.1), 0.1), run(2, Seconds(0.2), 0.3)});
    ASSERT_EQ(sizes.size(), 2U);
    EXPECT_EQ(sizes[0].gpus, 1U);
    EXPECT_FALSE(sizes[0].predicted.has_value());
    EXPECT_FALSE(sizes[0].error.has_value());
    EXPECT_EQ(sizes[1].runs, 3U);
    EXPECT_EQ(sizes[1].steps, 300U);
    EXPECT_DOUBLE_EQ(sizes[1].predicted->count(), 0.1);
    EXPECT_DOUBLE_EQ(sizes[1].measured.count(), 0.2);
    EXPECT_DOUBLE_EQ(*sizes[1].error, 0.5);  // of 1, 0 and 0.5
    EXPECT_TRUE(by_size({}).empty());
}

TEST(History, TheCaseOfADevicesNameMakesNoOtherSize) {
    MeasuredRun older = run(2, std::nullopt, 0.2);
    older.device = "TitanX";
    older.when = 1;
    MeasuredRun newer = run(2, std::nullopt, 0.2);
    newer.when = 2;
    for (const auto& runs : {std::vector{newer, older}, std::vector{older, newer}}) {
        const auto sizes = by_size(runs);
        ASSERT_EQ(sizes.size(), 1U);
        EXPECT_EQ(sizes[0].runs, 2U);
        EXPECT_EQ(sizes[0].device, "titanx");
    }
}

TEST(History, TellsWhatTheRunsThatRecordedItWaitedForLateRanks) {
    std::vector<MeasuredRun> runs(4, run(2, std::nullopt, 0.5));
    EXPECT_FALSE(by_size(runs).front().late.has_value());
    runs[0].late = Seconds(0.25);
    runs[1].late = Seconds(0);
    runs[3].late = Seconds(0.125);
    EXPECT_EQ(by_size(runs).front().late, Seconds(0.125));
}

TEST(History, PredictionsOfNothingAreNone) {
    const auto sizes = by_size({run(2, Seconds(0), 0.2)});
    ASSERT_EQ(sizes.size(), 1U);
    EXPECT_FALSE(sizes[0].error.has_value());
}

TEST(History, PrintsWhatItPrinted) {
    History history;
    std::vector<MeasuredRun> runs{run(2, Seconds(0.1), 0.12), run(2, Seconds(0.1), 0.11),
                                  run(1, std::nullopt, 0.4)};
    runs[1].late = Seconds(0.025);
    history.sizes = by_size(runs);
    history.rescales = {
        bare_rescale(1, {.from = 4, .requested = 2, .to = 4}, "job 13 waits", "", "",
                     1'700'000'700.5),
        bare_rescale(1, {.from = 4, .requested = 8, .to = 4}, "manual resize", "no checkpoint",
                     "no checkpoint in time; the job runs on", 1'700'000'600),
        measured_rescale(),
        // An earlier horad did not write down what was requested.
        bare_rescale(0, {.from = 1, .requested = {}, .to = 2}, "manual resize", "pending", "",
                     1'700'000'400)};
    expect_golden("history/some.txt", to_text(history));
    expect_golden("history/some.json", to_json(history));
    expect_golden("history/nothing.txt", to_text({}));
    expect_golden("history/nothing.json", to_json(History{}));
}

TEST(Rescale, ItsOutcomeIsInWordsForPeople) {
    const std::pair<const char*, const char*> cases[] = {{"", "under way"},
                                                         {"done", "done"},
                                                         {"pending", "done while it waited"},
                                                         {"reverted", "reverted"}};
    for (const auto& [outcome, words] : cases) {
        EXPECT_EQ(words_of_outcome(outcome), words);
    }
}

TEST(Rescale, AClockThatWasSetBackIsNoGain) {
    Rescale rescale;
    rescale.ready = 100;
    rescale.first_step = 90;
    EXPECT_EQ(cost_of(rescale), "not measured");
    rescale.step_before = Seconds(0);
    rescale.step_after = Seconds(1);
    EXPECT_FALSE(speed_up(rescale).has_value());
}

}  // namespace
}  // namespace hora::report
