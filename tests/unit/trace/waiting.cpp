#include "libplanner/trace/waiting.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <vector>

#include "tests/unit/trace/synthetic_job.hpp"

namespace hora::trace {
namespace {

constexpr std::uint64_t steps = 20;

// Three ranks whose steps begin a second apart and end with an all-reduce of 10 ms, in which no
// rank is late.
struct Job : SyntheticJob {
    Job() : SyntheticJob({{50, 0}, {20, 1e-6}, {900, 0}}) {
        add_communicator("world", {0, 1, 2});
        add_communicator("pair", {0, 1});
        for (std::uint64_t step = 0; step < steps; ++step) {
            const double end = 1 + static_cast<double>(step);
            for (std::uint32_t rank = 0; rank < 3; ++rank) {
                call(rank, "world", step, end - 0.01, end);
            }
            records[0].steps.push_back({step + 1, Seconds(clocks[0].shows(end))});
        }
    }

    // The others waited for the rank in the all-reduce of this step.
    void delay(std::uint64_t step, std::uint32_t late, double by) {
        for (std::uint32_t rank = 0; rank < 3; ++rank) {
            if (rank != late) {
                domain::RecordedCall& call = records[rank].calls[step];
                call.begin = call.begin - Seconds(by);
            }
        }
    }
    // Two collectives of ranks 0 and 1 in the step after this one; rank 1 is late.
    void call_pair(std::uint64_t step, double by) { call_pair_at(2 * step, 1.3, by); }
    void call_pair_again(std::uint64_t step, double by) { call_pair_at(2 * step + 1, 1.6, by); }
    void call_pair_at(std::uint64_t number, double at, double by) {
        const double end = at + static_cast<double>(number / 2);
        call(0, "pair", number, end - by, end);
        call(1, "pair", number, end - 0.0001, end);
    }

    void delay_all(std::uint64_t from, std::uint64_t to, double by) {
        for (std::uint64_t step = from; step < to; ++step) {
            delay(step, static_cast<std::uint32_t>(step % 3), by);
        }
    }

    std::optional<Seconds> waiting() const { return waiting_of_step(make_timeline(records)); }
};

struct Case {
    const char* sentence;
    std::function<void(Job&)> change;
    double waiting;
};

const Case cases[] = {
    {"no rank is waited for", [](Job&) {}, 0},
    {"each waits, for another rank", [](Job& job) { job.delay_all(1, steps, 0.1); }, 0.1},
    {"most of them wait, and some for longer",
     [](Job& job) {
         job.delay_all(4, 16, 0.1);
         job.delay_all(16, steps, 0.4);
     },
     0.1},
    {"few of them do", [](Job& job) { job.delay_all(12, steps, 0.4); }, 0},
    {"one that was gone ahead of is not waited for",
     [](Job& job) {
         job.delay_all(1, steps, 0.1);
         for (std::uint64_t step = 8; step < steps; ++step) {
             job.records[2].calls[step].ahead = 3;
         }
     },
     0},
    {"of two communicators that may wait at once the one with the most counts",
     [](Job& job) {
         job.delay_all(1, steps, 0.1);
         for (std::uint64_t step = 0; step + 1 < steps; ++step) {
             job.call_pair(step, 0.2);
         }
     },
     0.2},
    {"two late ranks of one communicator are waited for in turn",
     [](Job& job) {
         for (std::uint64_t step = 0; step + 1 < steps; ++step) {
             job.call_pair(step, 0.2);
             job.call_pair_again(step, 0.1);
         }
     },
     0.3},
    {"several steps were done since the last look",
     [](Job& job) {
         job.delay_all(1, steps, 0.1);
         for (auto& step : job.records[0].steps) {
             step.step *= 10;
         }
     },
     0.01},
    {"no rank waits for longer than a step takes", [](Job& job) { job.delay_all(1, steps, 50); },
     1},
};

TEST(Waiting, IsThatOfTheMedianStep) {
    for (const Case& test : cases) {
        Job job;
        test.change(job);
        const auto waiting = job.waiting();
        ASSERT_TRUE(waiting) << test.sentence;
        EXPECT_NEAR(waiting->count(), test.waiting, 1e-3) << test.sentence;
    }
}

TEST(Waiting, IsNotKnownOfAFewStepsOrWithoutARank) {
    const std::pair<const char*, std::function<void(Job&)>> tests[] = {
        {"no record has a step", [](Job& job) { job.records[0].steps.clear(); }},
        {"one has few", [](Job& job) { job.records[0].steps.resize(fewest_intervals); }},
        {"all of them were done at once",
         [](Job& job) {
             for (auto& step : job.records[0].steps) {
                 step.at = Seconds(3);
             }
         }},
        {"its steps count down",
         [](Job& job) {
             for (auto& step : job.records[0].steps) {
                 step.step = steps - step.step;
             }
         }},
        {"a rank has no record", [](Job& job) { job.records.pop_back(); }},
        {"its calls return before they are done",
         [](Job& job) {
             for (auto& record : job.records) {
                 record.operations = {"IallReduce", "Broadcast"};
             }
         }},
        {"it is alone",
         [](Job& job) {
             job.records.resize(1);
             job.records[0].communicators = {{"world", 0, 1, 1}, {"pair", 0, 1, 1}};
         }},
    };
    for (const auto& [sentence, change] : tests) {
        Job job;
        job.delay_all(1, steps, 0.1);
        change(job);
        EXPECT_FALSE(job.waiting()) << sentence;
    }
    EXPECT_FALSE(waiting_of_step(make_timeline({})));
}

// Whatever the records say.
RC_GTEST_PROP(Waiting, IsNeverLongerThanAStep, ()) {
    Job job;
    const auto count = *rc::gen::inRange(0, 60);
    for (int i = 0; i < count; ++i) {
        job.delay(*rc::gen::inRange<std::uint64_t>(0, steps), *rc::gen::inRange(0U, 3U),
                  *rc::gen::inRange(0, 5000) * 0.01);
    }
    Seconds longest;
    auto& recorded = job.records[0].steps;
    for (std::size_t i = 1; i < recorded.size(); ++i) {
        recorded[i].at = recorded[i - 1].at + Seconds(*rc::gen::inRange(1, 200) * 0.01);
        longest = std::max(longest, recorded[i].at - recorded[i - 1].at);
    }
    const auto waiting = job.waiting();
    RC_ASSERT(waiting.has_value());
    RC_ASSERT(*waiting >= Seconds(0));
    RC_ASSERT(*waiting <= longest * (1 + 1e-6));
}

}  // namespace
}  // namespace hora::trace
