// Do the cost functions give what their formulae give by hand?
#include <gtest/gtest.h>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/memory.hpp"
#include "libplanner/cost/roofline.hpp"
#include "libplanner/cost/step.hpp"
#include "libplanner/model/builtin.hpp"
#include "libplanner/model/workload.hpp"

namespace hora {
namespace {

using domain::Bound;
using domain::Exchange;

TEST(roofline, is_bound_by_the_lower_roof) {
    struct Case {
        const char* name;
        double intensity;
        double attainable;
        Bound bound;
    };
    const Case cases[] = {
        {"below the ridge the memory feeds too little", 5, 500, Bound::memory},
        {"at the ridge the arithmetic is the bound", 10, 1000, Bound::compute},
        {"above the ridge nothing is gained", 50, 1000, Bound::compute},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const auto roof = cost::roofline(FlopRate(1000), Bandwidth(100), one.intensity);
        EXPECT_DOUBLE_EQ(roof.attainable.count(), one.attainable);
        EXPECT_EQ(roof.bound, one.bound);
    }
}

// 1000 bytes over 100 bytes a second with 1 s latency.
TEST(exchange, takes_what_the_formula_says) {
    const domain::Link link{Bandwidth(100), Seconds(1)};
    struct Case {
        const char* name;
        Exchange kind;
        std::uint64_t members;
        double seconds;
    };
    const Case cases[] = {
        {"one member alone exchanges nothing", Exchange::ring, 1, 0},
        {"a ring of two: 2 * 1/2 * 10 s and 2 rounds", Exchange::ring, 2, 12},
        {"a ring of four: 2 * 3/4 * 10 s and 6 rounds", Exchange::ring, 4, 21},
        {"a tree of four: 2 * 10 s and 2 levels up and down", Exchange::tree, 4, 24},
        {"a tree of five has a third level", Exchange::tree, 5, 26},
        {"a server of two: 2 * 2 * 10 s and a message each way", Exchange::server, 2, 42},
        {"a server of four: 2 * 4 * 10 s", Exchange::server, 4, 82},
        {"the cheaper of ring and tree: the ring of four", Exchange::automatic, 4, 21},
        {"the cheaper of ring and tree: the tree of 32", Exchange::automatic, 32, 30},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        EXPECT_DOUBLE_EQ(cost::exchange_time(one.kind, Bytes(1000), one.members, link).count(),
                         one.seconds);
    }
}

TEST(memory, holds_weights_gradients_states_and_activations) {
    domain::Workload workload;
    workload.layers = {{1, 100, 10}, {1, 50, 5}};
    domain::CostModel model;
    model.optimizer_states = 2;
    model.memory_reserve = Bytes(7);
    EXPECT_DOUBLE_EQ(cost::memory_needed(workload, 3, model).count(), 4 * 150 + 3 * 15 + 7);
    domain::Device device;
    device.memory = Bytes(4 * 150 + 3 * 15 + 7);
    EXPECT_EQ(cost::largest_share(workload, device, model, 100), 3U);
    device.memory = Bytes(600);
    EXPECT_EQ(cost::largest_share(workload, device, model, 100), 0U);
}

domain::Workload resnet50() {
    return model::to_workload(*model::builtin_network("resnet50"), domain::DataType::fp32);
}

domain::Device fast_device() {
    domain::Device device;
    device.peak[0] = FlopRate(15.7e12);
    device.memory_bandwidth = Bandwidth(900e9);
    return device;
}

TEST(step, never_gets_shorter_with_share_or_exchange) {
    const domain::Workload workload = resnet50();
    domain::CostModel apart;
    apart.overlap = false;
    for (std::uint64_t share = 1; share < 64; ++share) {
        const cost::Step step(workload, fast_device(), share, {});
        const cost::Step larger(workload, fast_device(), share + 1, {});
        const cost::Step plain(workload, fast_device(), share, apart);
        EXPECT_EQ(step.compute(), plain.compute());
        Seconds before;
        for (const double exchange : {0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0}) {
            const Seconds time = step.time(Seconds(exchange));
            EXPECT_GE(time, before);
            EXPECT_LE(time, larger.time(Seconds(exchange)));
            // Overlap hides at most the whole exchange, and never adds to it.
            EXPECT_GE(time, step.compute());
            EXPECT_LE(time.count(), plain.time(Seconds(exchange)).count() * (1 + 1e-12));
            before = time;
        }
    }
}

// P1's table: W = 349,459,968 multiply-adds and M = 289,584,104 bytes of one forward pass.
TEST(alexnet_mnist, has_the_work_and_the_bytes_of_its_table) {
    const auto network = model::builtin_network("alexnet-mnist");
    ASSERT_TRUE(network.has_value());
    std::uint64_t mac = 0;
    std::uint64_t elements = 0;
    for (const domain::Layer& layer : network->layers) {
        mac += layer.mac;
        elements += layer.weights + layer.activations;
    }
    EXPECT_EQ(mac, 349459968U);
    EXPECT_EQ(4 * elements, 289584104U);
}

}  // namespace
}  // namespace hora
