// Does a step take its passes, and what of the exchange they do not hide?
#include "libplanner/cost/step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "libplanner/cost/roofline.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"

namespace hora::cost {
namespace {

domain::Workload resnet50() {
    return model::to_workload(*model::builtin_network("resnet50"), domain::DataType::fp32);
}

domain::Device fast_device() {
    domain::Device device;
    device.peak[0] = FlopRate(15.7e12);
    device.memory_bandwidth = Bandwidth(900e9);
    return device;
}

TEST(Step, NeverGetsShorterWithShareOrExchange) {
    const domain::Workload workload = resnet50();
    domain::CostModel apart;
    apart.overlap = false;
    for (std::uint64_t share = 1; share < 64; ++share) {
        const Step step(workload, fast_device(), share, {});
        const Step larger(workload, fast_device(), share + 1, {});
        const Step plain(workload, fast_device(), share, apart);
        EXPECT_EQ(step.compute(), plain.compute());
        Seconds before;
        for (const double exchange : {0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0}) {
            const Seconds time = step.time(Seconds(exchange));
            EXPECT_GE(time, before);
            EXPECT_LE(time, larger.time(Seconds(exchange)));
            // Overlap hides at most the whole exchange, and never adds to it.
            EXPECT_GE(time, step.compute());
            EXPECT_GE(time, step.at_least(Seconds(exchange)));
            EXPECT_EQ(plain.time(Seconds(exchange)), plain.at_least(Seconds(exchange)));
            EXPECT_LE(time.count(), plain.time(Seconds(exchange)).count() * (1 + 1e-12));
            before = time;
        }
    }
}

TEST(Step, WhatHasNothingToDoWithTheShareComesOnTop) {
    const domain::Workload workload = resnet50();
    domain::Device device = fast_device();
    const Step bare(workload, device, 8, {});
    device.efficiency.step = Seconds(0.01);
    device.efficiency.optimizer_bytes = 4;
    const Step whole(workload, device, 8, {});
    double weights = 0;
    for (const domain::LayerCost& layer : workload.layers) {
        weights += static_cast<double>(layer.weight_bytes) / 4;
    }
    const double on_top = 0.01 + 4 * 7 * weights / 900e9;  // Adam: 3 + 2 * 2 passes
    for (const double exchange : {0.0, 1e-3, 0.1}) {
        EXPECT_NEAR(whole.time(Seconds(exchange)).count(),
                    bare.time(Seconds(exchange)).count() + on_top, 1e-12);
    }
}

// P1's formula, layer by layer.
Seconds forward_time(const domain::Workload& workload, const domain::Device& device,
                     std::uint64_t share) {
    constexpr auto type = domain::DataType::fp32;
    Seconds total;
    for (const domain::LayerCost& layer : workload.layers) {
        total += std::max({device.efficiency.layer,
                           work(layer, share) / device.attained_peak(type, layer.kind),
                           traffic(layer, share) / device.attained_bandwidth(type)});
    }
    return total;
}

TEST(Step, IsTheForwardTimeOfItsLayersThreeTimes) {
    const domain::Workload workload = resnet50();
    domain::Device device = fast_device();
    for (auto& shares : device.efficiency.shares) {
        shares = {{1, 0.9, 0.2, 0.5, 0.4, 0.3}, 0.25};
    }
    device.efficiency.layer = Seconds(50e-6);
    for (const std::uint64_t share : {1, 8, 64}) {
        EXPECT_NEAR(Step(workload, device, share, {}).compute().count(),
                    3 * forward_time(workload, device, share).count(), 1e-12);
    }
}

// Layers one by one: gradients queue up as they get ready, and flow at the exchange's rate.
double sent(const std::vector<double>& forward, const std::vector<double>& weights,
            double backward_factor, double exchange) {
    double compute = 0;
    double all = 0;
    for (std::size_t i = 0; i < forward.size(); ++i) {
        compute += forward[i];
        all += weights[i];
    }
    double flows_from = 0;
    for (std::size_t i = forward.size(); i-- > 0;) {
        compute += backward_factor * forward[i];
        if (weights[i] > 0) {
            flows_from = std::max(flows_from, compute) + exchange * weights[i] / all;
        }
    }
    return std::max(compute, flows_from);
}

// With 1 FLOP/s and endless memory a layer's forward pass takes 2 mac * share.
RC_GTEST_PROP(Step, GradientsFlowWhileTheBackwardPassGoesOn, ()) {
    domain::Device device;
    device.peak[0] = FlopRate(1);
    device.memory_bandwidth = Bandwidth(1e300);
    domain::CostModel model;
    model.backward_factor = *rc::gen::inRange(0, 4);
    domain::Workload workload;
    const auto layers = *rc::gen::inRange(1, 12);
    const auto share = *rc::gen::inRange<std::uint64_t>(1, 5);
    std::vector<double> forward;
    std::vector<double> weights;
    for (int i = 0; i < layers; ++i) {
        const auto mac = *rc::gen::inRange<std::uint64_t>(0, 20);
        const auto bytes = *rc::gen::inRange<std::uint64_t>(0, 4);
        workload.layers.push_back({mac, bytes, 0});
        forward.push_back(2.0 * static_cast<double>(mac * share));
        weights.push_back(static_cast<double>(bytes));
    }
    const Step step(workload, device, share, model);
    const double exchange = *rc::gen::inRange(0, 300);
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (all > 0) {
        const double expected = sent(forward, weights, model.backward_factor, exchange);
        RC_ASSERT(std::abs(step.time(Seconds(exchange)).count() - expected) <=
                  1e-9 * (1 + expected));
    }
    if (all == 0) {  // nothing is there that could flow earlier
        RC_ASSERT(step.time(Seconds(exchange)) == step.compute() + Seconds(exchange));
    }
    RC_ASSERT(step.at_least(Seconds(exchange)) <= step.time(Seconds(exchange)));
    model.overlap = false;
    const Step apart(workload, device, share, model);
    RC_ASSERT(apart.time(Seconds(exchange)) == step.compute() + Seconds(exchange));
}

}  // namespace
}  // namespace hora::cost
