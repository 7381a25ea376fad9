#include "libplanner/model/workload.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "libplanner/model/layer.hpp"
#include "libplanner/model/networks/builtin.hpp"

namespace hora::model {
namespace {

using domain::DataType;
using domain::LayerCost;
using domain::Workload;

domain::Layer layer(std::uint64_t mac, std::uint64_t weights, std::uint64_t activations) {
    domain::Layer result;
    result.mac = mac;
    result.weights = weights;
    result.activations = activations;
    return result;
}

LayerCost sum_of(const std::vector<LayerCost>& layers) {
    LayerCost sum;
    for (const LayerCost& cost : layers) {
        sum.mac += cost.mac;
        sum.weight_bytes += cost.weight_bytes;
        sum.activation_bytes += cost.activation_bytes;
        sum.kind = {};
    }
    return sum;
}

LayerCost sum_of(const domain::Network& network, std::uint64_t size) {
    std::vector<LayerCost> layers;
    for (const domain::Layer& one : network.layers) {
        layers.push_back({one.mac, one.weights * size, one.activations * size});
    }
    return sum_of(layers);
}

TEST(Workload, KeepsTheLayersOfANetworkThatIsSmallEnough) {
    const domain::Network network = *builtin_network("alexnet-mnist");
    const Workload workload = to_workload(network, DataType::fp16);
    ASSERT_EQ(workload.layers.size(), network.layers.size());
    EXPECT_EQ(workload.data_type, DataType::fp16);
    EXPECT_EQ(workload.layers[1].mac, 9'106'944u);
    EXPECT_EQ(workload.layers[1].weight_bytes, 2u * 11'616);
    EXPECT_EQ(workload.layers[1].activation_bytes, 2u * 75'264);
}

TEST(Workload, MergesADeepNetworkWithoutLosingAnything) {
    const domain::Network network = *builtin_network("resnet101");
    ASSERT_GT(network.layers.size(), domain::max_workload_layers);
    const Workload workload = to_workload(network, DataType::fp32);
    EXPECT_EQ(workload.layers.size(), domain::max_workload_layers);
    EXPECT_EQ(sum_of(workload.layers), sum_of(network, 4));
}

TEST(Workload, MergesSmallNeighboursFirst) {
    domain::Network network;
    for (std::size_t i = 0; i < domain::max_workload_layers + 1; ++i) {
        network.layers.push_back(layer(i == 100 || i == 101 ? 1 : 1'000'000, 0, 0));
    }
    const Workload workload = to_workload(network, DataType::fp32);
    EXPECT_EQ(workload.layers[100].mac, 2u);
}

TEST(Workload, MergesWhatLosesNothingBeforeWhatIsSmaller) {
    domain::Network network;
    for (std::size_t i = 0; i < domain::max_workload_layers + 1; ++i) {
        const bool only_moves = i == 100 || i == 101;
        network.layers.push_back(layer(only_moves ? 0 : 1, 0, only_moves ? 1000 : 1));
    }
    const Workload workload = to_workload(network, DataType::fp32);
    EXPECT_EQ(workload.layers[100].activation_bytes, 4u * 2000);
}

TEST(Workload, TwoLayersCountAsTheKindThatMultipliesMore) {
    domain::Network network;
    for (std::size_t i = 0; i < domain::max_workload_layers + 1; ++i) {
        network.layers.push_back(layer(i == 7 ? 5 : 10, 0, 0));
        network.layers.back().kind =
            i == 7 ? domain::LayerKind::grouped_convolution : domain::LayerKind::convolution;
    }
    const Workload workload = to_workload(network, DataType::fp32);
    EXPECT_EQ(std::count_if(workload.layers.begin(), workload.layers.end(),
                            [](const LayerCost& cost) {
                                return cost.kind == domain::LayerKind::convolution;
                            }),
              static_cast<std::ptrdiff_t>(domain::max_workload_layers));
}

// Rows that the layers of a built-in network have, by their place; 0 for other layers.
std::vector<std::uint64_t> rows_in(const char* name) {
    std::vector<std::uint64_t> rows;
    for (const LayerCost& cost : to_workload(*builtin_network(name), DataType::fp32).layers) {
        rows.push_back(cost.has_rows() ? cost.weight_bytes / cost.row_bytes : 0);
    }
    return rows;
}

TEST(Workload, KnowsTheTablesOfALanguageModel) {
    const Workload workload = to_workload(*builtin_network("p4-rnn-lm"), DataType::fp32);
    ASSERT_EQ(workload.layers.size(), 5U);
    for (const std::size_t table : {std::size_t{1}, std::size_t{3}}) {
        EXPECT_EQ(workload.layers[table].row_bytes, 4U * 1024) << table;
        EXPECT_EQ(workload.layers[table].weight_bytes, std::uint64_t{49'036} * 4 * 1024) << table;
    }
    EXPECT_FALSE(workload.layers[2].has_rows());
}

TEST(Workload, CountsATiedTableOnceAndPositionsNever) {
    const std::vector<std::uint64_t> rows = rows_in("gpt2");
    EXPECT_EQ(std::ranges::count(rows, 50'257U), 1);
    EXPECT_EQ(std::ranges::count(rows, 0U), static_cast<std::ptrdiff_t>(rows.size()) - 1);
}

TEST(Workload, KnowsNoTablesOfANetworkOfImages) {
    const std::vector<std::uint64_t> rows = rows_in("alexnet-mnist");
    EXPECT_EQ(std::ranges::count(rows, 0U), static_cast<std::ptrdiff_t>(rows.size()));
}

domain::Layer embedding(std::uint64_t rows, std::uint64_t positions, std::uint64_t width) {
    domain::Layer result = layer(0, rows * width, positions * width);
    result.type = "embedding";
    result.parameters = result.weights;
    result.output = {positions, width};
    return result;
}

domain::Layer dense(std::uint64_t in, std::uint64_t positions, std::uint64_t out) {
    domain::Layer result = layer(in * out * positions, in * out, positions * out);
    result.kind = domain::LayerKind::dense;
    result.output = {positions, out};
    return result;
}

// A transformer with as many positions as a position has numbers, and fewer words: its positions
// count as words, and many layers are as wide. The loss is there once.
TEST(Workload, CountsTheLossOnce) {
    const domain::Network network{
        .name = "wide",
        .layers = {embedding(16, 64, 64), embedding(64, 64, 64), dense(64, 64, 64),
                   dense(64, 64, 256), dense(256, 64, 64), dense(64, 64, 16)}};
    const Workload workload = to_workload(network, DataType::fp32);
    std::vector<bool> has_rows;
    for (const LayerCost& cost : workload.layers) {
        has_rows.push_back(cost.has_rows());
    }
    EXPECT_EQ(has_rows, (std::vector{false, true, false, false, true, false}));
}

TEST(Workload, TakesNoMoreTablesThanTravel) {
    domain::Network network;
    for (std::size_t i = 0; i < domain::max_workload_tables + 2; ++i) {
        network.layers.push_back(embedding(100, 5, 3));
    }
    const Workload workload = to_workload(network, DataType::fp32);
    EXPECT_EQ(std::ranges::count_if(workload.layers, &LayerCost::has_rows),
              static_cast<std::ptrdiff_t>(domain::max_workload_tables));
    // Each embedding looks its own words up, and one more is predicted.
    EXPECT_EQ(workload.layers[0].words, 5U * (domain::max_workload_tables + 2) + 1);
}

TEST(Workload, MergesTablesLast) {
    domain::Network network;
    network.layers.push_back(embedding(100, 5, 3));
    for (std::size_t i = 0; i < domain::max_workload_layers + 50; ++i) {
        network.layers.push_back(layer(1'000'000, 1'000'000, 1'000'000));
    }
    EXPECT_TRUE(to_workload(network, DataType::fp32).layers[0].has_rows());
}

TEST(Workload, GivesANetworkWithoutLayersOneOfZeros) {
    EXPECT_EQ(to_workload({}, DataType::fp32).layers, std::vector<LayerCost>{LayerCost{}});
}

TEST(Workload, StopsAtTheBoundOfItsNumbers) {
    const std::uint64_t huge = ~std::uint64_t{0};
    const domain::Network network{.name = "huge", .layers = {layer(huge, huge, huge)}};
    const std::uint64_t top = domain::max_workload_number;
    EXPECT_EQ(to_workload(network, DataType::fp32).layers[0], (LayerCost{top, top, top}));
}

RC_GTEST_PROP(Workload, PreservesTheSumsWhateverTheNetwork, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(1, 1500);
    domain::Network network;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = rc::gen::inRange<std::uint64_t>(0, 1'000'000);
        network.layers.push_back(layer(*number, *number, *number));
    }
    const Workload workload = to_workload(network, DataType::fp32);
    RC_ASSERT(workload.layers.size() == std::min(count, domain::max_workload_layers));
    RC_ASSERT(sum_of(workload.layers) == sum_of(network, 4));
}

}  // namespace
}  // namespace hora::model
