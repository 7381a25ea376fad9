// Does a share fit just where all of it is counted?
#include "libplanner/cost/memory.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <limits>

namespace hora::cost {
namespace {

TEST(Memory, HoldsWeightsGradientsStatesAndActivations) {
    domain::Workload workload;
    workload.layers = {{1, 100, 10}, {1, 50, 5}};
    domain::CostModel model;
    model.optimizer_states = 2;
    model.memory_reserve = Bytes(7);
    EXPECT_DOUBLE_EQ(memory_needed(workload, 3, model).count(),
                     4 * 150 + kept_activations * 3 * 15 + 7);
    EXPECT_EQ(largest_share(workload, Bytes(4 * 150 + kept_activations * 3 * 15 + 7), model, 100),
              3U);
    EXPECT_EQ(largest_share(workload, Bytes(600), model, 100), 0U);
}

// By looking at each share.
RC_GTEST_PROP(Memory, LargestShareIsTheLastThatFits, ()) {
    domain::Workload workload;
    workload.layers = {
        {1, *rc::gen::inRange<std::uint64_t>(0, 100), *rc::gen::inRange<std::uint64_t>(0, 20)},
        {1, 3, 1}};
    domain::CostModel model;
    model.optimizer_states = *rc::gen::inRange(0, 3);
    model.memory_reserve = Bytes(*rc::gen::inRange(0, 50));
    const Bytes memory(*rc::gen::inRange(1, 1500));
    const auto limit = *rc::gen::inRange<std::uint64_t>(0, 70);
    std::uint64_t last = 0;
    for (std::uint64_t share = 1; share <= limit; ++share) {
        last = memory_needed(workload, share, model) <= memory ? share : last;
    }
    RC_ASSERT(largest_share(workload, memory, model, limit) == last);
}

TEST(Memory, ThatIsNotKnownHoldsEverything) {
    domain::Workload workload;
    workload.layers = {{1, 1000, 1000}};
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(largest_share(workload, Bytes(0), {}, most), most);
    EXPECT_EQ(largest_share(workload, Bytes(1e9), {}, most), (1'000'000'000U - 4000) / 600);
}

}  // namespace
}  // namespace hora::cost
