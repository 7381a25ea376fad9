// Does a share fit just where all of it is counted?
#include "libplanner/cost/memory.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <limits>
#include <optional>

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

// Two words of five logits each: log-softmax and gradient take 4 bytes a logit, and so does a copy
// in fp32.
TEST(Memory, HoldsWhatTheLossKeepsOfPredictedWords) {
    struct Case {
        std::optional<domain::DataType> type;
        double element;
        double kept;
    };
    const Case cases[] = {
        {std::nullopt, 4, 4 + 8},
        {domain::DataType::tf32, 4, 4 + 8},
        {domain::DataType::fp16, 2, 2 + 4 + 8},
        {domain::DataType::bf16, 2, 2 + 4 + 8},
    };
    for (const Case& test : cases) {
        const auto bytes = [&](double elements) {
            return static_cast<std::uint64_t>(elements * test.element);
        };
        const domain::LayerCost table{.mac = 0,
                                      .weight_bytes = bytes(20),
                                      .activation_bytes = bytes(8),
                                      .kind = domain::LayerKind::memory,
                                      .row_bytes = bytes(4),
                                      .words = 2};
        domain::LayerCost output = table;
        output.mac = 40;
        output.activation_bytes = bytes(10);
        output.kind = domain::LayerKind::dense;
        const domain::Workload workload{.data_type = test.type, .layers = {table, output}};
        domain::CostModel pure;
        pure.master_weights = false;
        EXPECT_DOUBLE_EQ(
            memory_needed(workload, 3, pure).count(),
            4 * 40 * test.element + 3 * (kept_activations * 8 * test.element + 10 * test.kept))
            << test.element;
    }
}

// Of 40 weights: mixed precision has all copies in fp32, and the weights in the smaller format too.
TEST(Memory, HoldsMasterWeights) {
    struct Case {
        std::optional<domain::DataType> type;
        bool has_masters;
        double expected;
    };
    using domain::DataType;
    const Case cases[] = {
        {std::nullopt, true, 40 * 4 * 3},        {DataType::tf32, true, 40 * 4 * 3},
        {DataType::tf32, false, 40 * 4 * 3},     {DataType::fp16, true, 40 * (2 + 4 * 3)},
        {DataType::fp8, true, 40 * (1 + 4 * 3)}, {DataType::bf16, false, 40 * 2 * 3},
    };
    for (const Case& test : cases) {
        domain::Workload workload{.data_type = test.type, .layers = {{}}};
        workload.layers[0].weight_bytes = 40 * domain::element_size(test.type);
        domain::CostModel model;
        model.optimizer_states = 1;
        model.master_weights = test.has_masters;
        EXPECT_DOUBLE_EQ(memory_needed(workload, 1, model).count(), test.expected);
    }
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
