#include "libplanner/cost/calibration.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/step.hpp"

namespace hora::cost {
namespace {

// A layer of each kind: much arithmetic, many weights, large activations, no arithmetic.
domain::Workload mixed_workload() {
    return {.data_type = domain::DataType::fp32,
            .layers = {{.mac = 100'000'000, .weight_bytes = 40'000, .activation_bytes = 800'000},
                       {.mac = 1'000'000, .weight_bytes = 4'000'000, .activation_bytes = 4'000},
                       {.mac = 5'000'000, .weight_bytes = 10'000, .activation_bytes = 3'000'000},
                       {.mac = 0, .weight_bytes = 0, .activation_bytes = 500'000}}};
}

domain::Device device_of(double peak, double bandwidth) {
    domain::Device device;
    device.peak.fill(FlopRate(peak));
    device.memory_bandwidth = Bandwidth(bandwidth);
    return device;
}

// What a run on a device with exactly these figures would have measured.
Measurement measure(const domain::Device& device, std::uint64_t batch, std::uint64_t members = 1,
                    const domain::Link& link = {}) {
    const domain::Workload workload = mixed_workload();
    const domain::CostModel model;
    const Step step(workload, device, (batch + members - 1) / members, model);
    const Seconds exchange = exchange_time(model.exchange, gradient_bytes(workload), members, link);
    return {batch, members, step.time(exchange)};
}

struct DeviceCase {
    const char* sentence;
    double peak;
    double bandwidth;
};

const DeviceCase devices[] = {
    {"a core of a CPU", 20e9, 10e9},
    {"a GTX 1080", 8.873e12, 320e9},
    {"a P100", 9.3e12, 732e9},
    {"a device starved of memory bandwidth", 10e12, 50e9},
};

TEST(CalibrateDevice, FindsASyntheticDeviceWithinOnePerCent) {
    for (const DeviceCase& test : devices) {
        const domain::Device device = device_of(test.peak, test.bandwidth);
        const Measurement runs[] = {measure(device, 1), measure(device, 16), measure(device, 256)};
        const auto found = calibrate_device(mixed_workload(), runs, {});
        ASSERT_TRUE(found.has_value()) << test.sentence;
        EXPECT_NEAR(found->peak.value.count() / test.peak, 1, 0.01) << test.sentence;
        EXPECT_NEAR(found->memory_bandwidth.value.count() / test.bandwidth, 1, 0.01)
            << test.sentence;
        EXPECT_LT(found->residual, 1e-4) << test.sentence;
        EXPECT_EQ(found->points, 3u) << test.sentence;
        EXPECT_LE(found->peak.low, found->peak.value) << test.sentence;
        EXPECT_GE(found->peak.high, found->peak.value) << test.sentence;
    }
}

TEST(CalibrateDevice, MeetsASinglePointAndAssumesTheRatio) {
    const domain::Device device = device_of(1e12, 400e9);
    const Measurement run[] = {measure(device, 64)};
    const auto found = calibrate_device(mixed_workload(), run, {});
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->peak.value.count() / found->memory_bandwidth.value.count(), assumed_ridge,
                1e-6);
    const auto again =
        measure(device_of(found->peak.value.count(), found->memory_bandwidth.value.count()), 64);
    EXPECT_NEAR(again.step / run[0].step, 1, 1e-9);
    // Whatever the ratio, one point is met: the figures stand for a wide range.
    EXPECT_GT(found->peak.high / found->peak.low, 10);
}

TEST(CalibrateDevice, FindsWhatEveryStepTakes) {
    domain::Device device = device_of(8.873e12, 320e9);
    device.efficiency.step = Seconds(0.03);
    std::vector<Measurement> runs;
    for (const std::uint64_t batch : {16, 64, 256, 1024}) {
        runs.push_back(measure(device, batch));
    }
    const auto found = calibrate_device(mixed_workload(), runs, {});
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_NEAR(found->step_overhead.count(), 0.03, 3e-4);
    EXPECT_NEAR(found->peak.value.count() / 8.873e12, 1, 0.02);
    EXPECT_LT(found->residual, 1e-3);
    const auto without = calibrate_device(mixed_workload(),
                                          std::vector{measure(device_of(8.873e12, 320e9), 16),
                                                      measure(device_of(8.873e12, 320e9), 64),
                                                      measure(device_of(8.873e12, 320e9), 256)},
                                          {});
    ASSERT_TRUE(without.has_value());
    EXPECT_EQ(without->step_overhead, Seconds(0)) << "the rates alone are enough";
}

TEST(CalibrateDevice, RefusesWhatItCannotMeet) {
    const Measurement runs[] = {
        {16, 1, Seconds(1)}, {64, 1, Seconds(0.2)}, {256, 1, Seconds(3)}, {512, 1, Seconds(1)}};
    const auto found = calibrate_device(mixed_workload(), runs, {});
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().kind, ErrorKind::failed);
    EXPECT_NE(found.error().message.find("no peak and memory bandwidth meet these runs"),
              std::string::npos)
        << found.error().message;
}

TEST(CalibrateDevice, NeedsARunOnOneDevice) {
    const Measurement run[] = {{64, 2, Seconds(1)}};
    const auto found = calibrate_device(mixed_workload(), run, {});
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().kind, ErrorKind::wrong_use);
}

RC_GTEST_PROP(CalibrateDevice, PredictsTheBatchesBetweenDespiteNoise, ()) {
    const double peak = std::pow(10.0, *rc::gen::inRange(90, 145) / 10.0);
    const double ridge = std::pow(10.0, *rc::gen::inRange(0, 20) / 10.0);
    const domain::Device device = device_of(peak, peak / ridge);
    std::vector<Measurement> runs;
    for (const std::uint64_t batch : {1, 4, 16, 64, 256}) {
        runs.push_back(measure(device, batch));
        runs.back().step = runs.back().step * (1 + *rc::gen::inRange(-20, 21) / 1000.0);
    }
    const auto found = calibrate_device(mixed_workload(), runs, {});
    RC_ASSERT(found.has_value());
    const auto model = device_of(found->peak.value.count(), found->memory_bandwidth.value.count());
    for (const std::uint64_t batch : {2, 32, 128}) {
        const double off = measure(model, batch).step / measure(device, batch).step - 1;
        RC_ASSERT(std::abs(off) < 0.05);
    }
}

TEST(CalibrateLink, FindsASyntheticLinkWithinOnePerCent) {
    const domain::Device device = device_of(1e12, 400e9);
    const domain::Link link{Bandwidth(1.25e9), Seconds(50e-6)};
    std::vector<Measurement> runs{measure(device, 1), measure(device, 64), measure(device, 256)};
    for (const std::uint64_t members : {2, 4, 8}) {
        runs.push_back(measure(device, 8, members, link));
    }
    const auto found = calibrate_device(mixed_workload(), runs, {});
    ASSERT_TRUE(found.has_value());
    const auto between = calibrate_link(mixed_workload(), runs, *found, {});
    ASSERT_TRUE(between.has_value());
    EXPECT_NEAR(between->bandwidth.value / link.bandwidth, 1, 0.01);
    EXPECT_NEAR(between->latency.value / link.latency, 1, 0.01);
    EXPECT_EQ(between->points, 3u);
}

TEST(CalibrateLink, SaysNothingOfAHiddenExchange) {
    const domain::Device device = device_of(1e9, 1e9);
    const Measurement runs[] = {
        measure(device, 64), measure(device, 256), {128, 2, measure(device, 64).step}};
    const auto found = calibrate_device(mixed_workload(), runs, {});
    ASSERT_TRUE(found.has_value());
    EXPECT_FALSE(calibrate_link(mixed_workload(), runs, *found, {}).has_value());
}

std::vector<domain::ProgressReport> reports(const std::vector<double>& seconds,
                                            std::uint64_t stride = 1) {
    std::vector<domain::ProgressReport> all;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        const std::uint64_t step = (i + 1) * stride;
        all.push_back({step, 1, step * 64, Seconds(seconds[i])});
    }
    return all;
}

struct StepCase {
    const char* sentence;
    std::vector<domain::ProgressReport> reports;
    double seconds;  // 0 = cannot be told
};

const StepCase steps[] = {
    {"the first line is warm-up", reports({9, 1, 1}), 1},
    {"a pause for a checkpoint does not count", reports({9, 1, 1, 1, 70, 1}), 1},
    {"several steps a line share its time", reports({40, 20, 20}, 10), 2},
    {"the small last batch of an epoch does not count",
     {{1, 1, 1024, Seconds(9)},
      {2, 1, 1437, Seconds(1)},
      {3, 2, 2461, Seconds(3)},
      {4, 2, 2874, Seconds(1)}},
     3},
    {"one line says nothing", reports({1}), 0},
    {"no line says nothing", {}, 0},
    {"a restart is not a step",
     {{5, 1, 320, Seconds(1)}, {6, 1, 384, Seconds(2)}, {3, 1, 192, Seconds(50)}},
     2},
};

TEST(StepTime, IsTheMedianAfterTheWarmUp) {
    for (const StepCase& test : steps) {
        const auto time = step_time(test.reports);
        EXPECT_EQ(time.value_or(Seconds(0)).count(), test.seconds) << test.sentence;
    }
    EXPECT_EQ(step_samples(reports({1, 1, 1}, 10)).value_or(0), 64u);
}

}  // namespace
}  // namespace hora::cost
