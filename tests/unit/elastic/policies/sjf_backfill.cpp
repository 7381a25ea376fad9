// Do short jobs start first, and does nothing that passes one delay it?
#include "libplanner/elastic/policies/sjf_backfill.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <limits>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/policies/published.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

TEST(ShortestJobFirst, StartsShortOnesAndFillsUp) {
    const std::vector<double> hour{3600};
    const PublishedCase cases[] = {
        {"the shortest first",
         "sjf-backfill",
         2,
         0,
         {{0, 2, 5, hour}, {0, 1, 1, hour}, {0, 1, 2, hour}},
         {0, 1, 1}},
        {"who runs keeps what it holds",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 9, hour}, {0, 2, 1, hour}},
         {3, 0}},
        {"a longer one passes if it is over in time",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 2, hour}, {0, 4, 1, hour}, {0, 1, 2, hour}},
         {3, 0, 1}},
        {"but not if it delays the first",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 2, hour}, {0, 4, 1, hour}, {0, 1, 3, hour}},
         {3, 0, 0}},
        {"it may take what the first leaves",
         "sjf-backfill",
         5,
         0,
         {{4, 4, 2, hour}, {0, 4, 1, hour}, {0, 1, 9, hour}, {0, 1, 9, hour}},
         {4, 0, 1, 0}},
        {"but no two of them the same",
         "sjf-backfill",
         6,
         0,
         {{4, 4, 2, hour}, {0, 5, 1, hour}, {0, 1, 9, hour}, {0, 1, 9, hour}},
         {4, 0, 1, 0}},
        {"one that never fits holds up no other",
         "sjf-backfill",
         4,
         0,
         {{0, 9, 1, hour}, {0, 4, 2, hour}},
         {0, 4}},
        {"GPUs of requests from outside are theirs",
         "sjf-backfill",
         4,
         3,
         {{0, 2, 1, hour}, {0, 1, 2, hour}},
         {0, 1}},
    };
    for (const PublishedCase& each : cases) {
        check(each);
    }
}

// When so many GPUs are idle, if what runs ends by its own times and nothing else starts.
Seconds free_at(const domain::ElasticState& state, const std::vector<std::uint32_t>& gpus,
                std::uint32_t wanted) {
    std::vector<std::pair<Seconds, std::uint32_t>> endings;
    std::uint64_t idle = state.gpus;
    std::uint64_t taken = state.waiting;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        taken += gpus[i];
        if (gpus[i] > 0) {
            endings.emplace_back(remaining_time(state.jobs[i], gpus[i]), gpus[i]);
        }
    }
    idle -= std::min(idle, taken);
    std::sort(endings.begin(), endings.end());
    Seconds when;
    for (const auto& [end, own] : endings) {
        if (idle >= wanted) {
            return when;
        }
        idle += own;
        when = end;
    }
    return idle >= wanted ? when : Seconds(std::numeric_limits<double>::infinity());
}

RC_GTEST_PROP(ShortestJobFirst, DelaysNobodyThatIsPassed, ()) {
    MadeState made;
    make_up(made);
    const domain::ElasticState& state = made.state;
    const Allocation result = ShortestJobFirst().decide(state);
    // Who waits, the shortest first.
    std::vector<std::pair<Seconds, std::size_t>> queue;
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const domain::ElasticJob& job = state.jobs[i];
        if (job.gpus == 0 && job.requested <= state.gpus) {
            queue.emplace_back(remaining_time(job, job.requested), i);
        }
    }
    std::sort(queue.begin(), queue.end());
    std::vector<std::uint32_t> in_order;
    for (const domain::ElasticJob& job : state.jobs) {
        in_order.push_back(job.gpus);
    }
    double started = 0;
    std::size_t head = queue.size();
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const std::size_t job = queue[at].second;
        if (result.gpus[job] > 0) {
            started += 1;
            RC_ASSERT(result.gpus[job] == state.jobs[job].requested);
            if (head == queue.size()) {
                in_order[job] = result.gpus[job];
            }
        } else if (head == queue.size()) {
            head = at;
        }
    }
    RC_ASSERT(result.objective == started);
    if (head == queue.size()) {
        return;
    }
    const std::uint32_t wanted = state.jobs[queue[head].second].requested;
    const Seconds before = free_at(state, in_order, wanted);
    RC_ASSERT(before > Seconds(0));
    RC_ASSERT(free_at(state, result.gpus, wanted) <= before);
    // What is left out would not fit, or would delay it.
    for (std::size_t at = head + 1; at < queue.size(); ++at) {
        const std::size_t job = queue[at].second;
        std::vector<std::uint32_t> with = result.gpus;
        if (with[job] > 0) {
            continue;
        }
        with[job] = state.jobs[job].requested;
        std::uint64_t all = state.waiting;
        for (const std::uint32_t gpus : with) {
            all += gpus;
        }
        RC_ASSERT(all > state.gpus || free_at(state, with, wanted) > before);
    }
}

}  // namespace
}  // namespace hora::elastic
