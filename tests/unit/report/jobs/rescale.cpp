// What of a resize is shown where only a part of it was measured?
#include "libplanner/report/jobs/rescale.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/unit/report/some_rescales.hpp"

namespace hora::report {
namespace {

struct Case {
    const char* sentence;
    std::function<void(Rescale&)> change;
    const char* cost;
    const char* gain;
};

const char* const whole_cost = "3.5 s of training, 2.75 s from the checkpoint to the first step";
const char* const whole_gain = "400 ms -> 250 ms a step, 1.6 times as fast";

const Case cases[] = {
    {"all of it", [](Rescale&) {}, whole_cost, whole_gain},
    {"nothing lost that is known", [](Rescale& rescale) { rescale.lost.reset(); },
     "2.75 s from the checkpoint to the first step", whole_gain},
    {"no first step yet",
     [](Rescale& rescale) {
         rescale.first_step.reset();
         rescale.step_after.reset();
     },
     "3.5 s of training", "not measured"},
    {"a clock that was set back", [](Rescale& rescale) { *rescale.first_step -= 100; },
     "3.5 s of training", whole_gain},
    {"nothing at all", [](Rescale& rescale) { rescale = {}; }, "not measured", "not measured"},
    {"steps that took no time", [](Rescale& rescale) { rescale.step_after = Seconds(0); },
     whole_cost, "not measured"},
    {"before it", [](Rescale& rescale) { rescale.step_before = Seconds(0); }, whole_cost,
     "not measured"},
};

TEST(Rescale, TellsCostAndGainAsFarAsTheyAreKnown) {
    for (const Case& test : cases) {
        Rescale rescale = measured_rescale();
        test.change(rescale);
        EXPECT_EQ(cost_of(rescale), test.cost) << test.sentence;
        EXPECT_EQ(gain_of(rescale), test.gain) << test.sentence;
        EXPECT_EQ(speed_up(rescale).has_value(), std::string(test.gain) != "not measured")
            << test.sentence;
    }
}

TEST(Rescale, WasToHaveWhatWasRequested) {
    Rescale rescale = measured_rescale();
    rescale.requested = 8;
    EXPECT_EQ(requested_of(rescale), 8U);
    rescale.requested.reset();
    EXPECT_EQ(requested_of(rescale), 4U);
    EXPECT_TRUE(json_of(rescale).at("requested").is_null());
    EXPECT_EQ(words_of_outcome(""), "under way");
    EXPECT_EQ(words_of_outcome("pending"), "done while it waited");
    EXPECT_EQ(words_of_outcome("done"), "done");
}

}  // namespace
}  // namespace hora::report
