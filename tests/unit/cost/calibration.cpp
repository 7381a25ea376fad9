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
    const Seconds exchange =
        exchange_time(model.exchange, gradient_bytes(workload), one_on_each_node(members, link));
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
        const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
        ASSERT_TRUE(found.has_value()) << test.sentence;
        EXPECT_NEAR(found->compute.value / test.peak, 1, 0.01) << test.sentence;
        EXPECT_NEAR(found->memory.value / test.bandwidth, 1, 0.01) << test.sentence;
        EXPECT_LT(found->residual, 1e-4) << test.sentence;
        EXPECT_EQ(found->points, 3u) << test.sentence;
        EXPECT_LE(found->compute.low, found->compute.value) << test.sentence;
        EXPECT_GE(found->compute.high, found->compute.value) << test.sentence;
    }
}

TEST(CalibrateDevice, MeetsASinglePointAndAssumesTheRatio) {
    const domain::Device device = device_of(1e12, 400e9);
    const Measurement run[] = {measure(device, 64)};
    const auto found = calibrate_device(mixed_workload(), run, {}, unknown_device());
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->compute.value / found->memory.value, assumed_ridge, 1e-6);
    const auto again = measure(device_of(found->compute.value, found->memory.value), 64);
    EXPECT_NEAR(again.step / run[0].step, 1, 1e-9);
    // Whatever the ratio, one point is met: the figures stand for a wide range.
    EXPECT_GT(found->compute.high / found->compute.low, 10);
}

struct OverheadCase {
    const char* sentence;
    double peak;
    double bandwidth;
    double step;
};

const OverheadCase overheads[] = {
    {"a GTX 1080", 8.873e12, 320e9, 0.03},
    {"a fast GPU in a slow machine", 100e12, 2e12, 0.02},
    {"a fast GPU in a fast machine", 300e12, 6e12, 0.002},
    {"a slow GPU", 1e12, 50e9, 0.5},
};

TEST(CalibrateDevice, FindsWhatEveryStepTakes) {
    for (const OverheadCase& test : overheads) {
        SCOPED_TRACE(test.sentence);
        domain::Device device = device_of(test.peak, test.bandwidth);
        device.efficiency.step = Seconds(test.step);
        std::vector<Measurement> runs;
        for (const std::uint64_t batch : {16, 64, 256, 1024, 4096}) {
            runs.push_back(measure(device, batch));
        }
        const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
        ASSERT_TRUE(found.has_value()) << found.error().message;
        EXPECT_NEAR(found->step_overhead.count(), test.step, 0.01 * test.step);
        EXPECT_NEAR(found->compute.value / test.peak, 1, 0.02);
        EXPECT_LT(found->residual, 1e-3);
    }
    const auto without = calibrate_device(mixed_workload(),
                                          std::vector{measure(device_of(8.873e12, 320e9), 16),
                                                      measure(device_of(8.873e12, 320e9), 64),
                                                      measure(device_of(8.873e12, 320e9), 256)},
                                          {}, unknown_device());
    ASSERT_TRUE(without.has_value());
    EXPECT_EQ(without->step_overhead, Seconds(0)) << "the rates alone are enough";
}

// A known type, on which programs attain a part of the rates.
domain::Device known_device() {
    domain::Device device = device_of(20e12, 900e9);
    device.name = "known";
    for (domain::Efficiency::Shares& shares : device.efficiency.shares) {
        shares.compute.fill(0.6);
        shares.memory = 0.25;
    }
    device.efficiency.layer = Seconds(50e-6);
    device.efficiency.step = Seconds(6e-3);
    device.efficiency.optimizer_bytes = 4;
    return device;
}

domain::Device machine_of(double compute, double memory, double step) {
    domain::Device device = known_device();
    device.efficiency = device.efficiency.times(compute, memory);
    device.efficiency.step = Seconds(step);
    return device;
}

TEST(CalibrateDevice, FindsByHowMuchAKnownOneIsFaster) {
    struct Case {
        const char* name;
        double compute;
        double memory;
        double step;
    };
    const Case cases[] = {
        {"as elsewhere", 1, 1, 6e-3},
        {"a slower board", 0.8, 0.8, 7.5e-3},
        {"a machine that feeds its GPU slowly", 1, 1, 0.04},
        {"arithmetic alone is faster", 2, 1, 6e-3},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const domain::Device machine = machine_of(each.compute, each.memory, each.step);
        std::vector<Measurement> runs;
        for (const std::uint64_t batch : {8, 32, 128, 512}) {
            runs.push_back(measure(machine, batch));
        }
        const auto found = calibrate_device(mixed_workload(), runs, {}, known_device());
        ASSERT_TRUE(found.has_value()) << found.error().message;
        for (const std::uint64_t batch : {1, 16, 64, 256, 1024}) {
            EXPECT_NEAR(measure(found->device(), batch).step / measure(machine, batch).step, 1,
                        0.05)
                << batch;
        }
        EXPECT_LE(found->compute.low, found->compute.value);
        EXPECT_GE(found->memory.high, found->memory.value);
    }
}

TEST(CalibrateDevice, KeepsTheBalanceOfAKnownOneWhereRunsDoNotTellAnother) {
    const domain::Device machine = machine_of(0.7, 0.7, 6e-3 / 0.7);
    const Measurement run[] = {measure(machine, 64)};
    const auto one = calibrate_device(mixed_workload(), run, {}, known_device());
    ASSERT_TRUE(one.has_value());
    EXPECT_NEAR(one->compute.value / one->memory.value, 1, 0.1);
    EXPECT_NEAR(measure(one->device(), 64).step / run[0].step, 1, 0.05);
    EXPECT_GT(one->compute.value, 0.65);
    EXPECT_LT(one->compute.value, 1) << "the step's own time may take a part of it";

    std::vector<Measurement> noisy;
    for (const std::uint64_t batch : {16, 64, 256}) {
        noisy.push_back(measure(machine, batch));
    }
    noisy[1].step = noisy[1].step * 1.02;
    const auto several = calibrate_device(mixed_workload(), noisy, {}, known_device());
    ASSERT_TRUE(several.has_value());
    EXPECT_NEAR(several->compute.value / several->memory.value, 1, 0.15);
}

TEST(CalibrateDevice, RefusesStepsThatAreShorterThanAnyOfAKnownOne) {
    const Measurement run[] = {{64, 1, Seconds(1e-5)}};
    const auto found = calibrate_device(mixed_workload(), run, {}, known_device());
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("batch 64 took 1e-05 s a step"), std::string::npos)
        << found.error().message;
}

TEST(CalibrateDevice, RefusesWhatItCannotMeet) {
    const Measurement runs[] = {
        {16, 1, Seconds(1)}, {64, 1, Seconds(0.2)}, {256, 1, Seconds(3)}, {512, 1, Seconds(1)}};
    const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().kind, ErrorKind::failed);
    EXPECT_NE(found.error().message.find("no peak and memory bandwidth meet these runs"),
              std::string::npos)
        << found.error().message;
}

TEST(CalibrateDevice, NeedsARunOnOneDevice) {
    const Measurement run[] = {{64, 2, Seconds(1)}};
    const auto found = calibrate_device(mixed_workload(), run, {}, unknown_device());
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
    const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
    RC_ASSERT(found.has_value());
    const domain::Device model = found->device();
    for (const std::uint64_t batch : {2, 32, 128}) {
        const double off = measure(model, batch).step / measure(device, batch).step - 1;
        RC_ASSERT(std::abs(off) < 0.05);
    }
}

TEST(CalibrateLink, PredictsStepsOverALinkAlsoOnOtherNumbersOfDevices) {
    const domain::Device device = device_of(1e12, 400e9);
    struct Case {
        const char* name;
        domain::Link link;
    };
    const Case cases[] = {
        {"of 10 Gbit/s", {Bandwidth(1.25e9), Seconds(5e-6)}},
        {"with the latency of TCP", {Bandwidth(1.25e9), Seconds(50e-6)}},
        {"a slow one", {Bandwidth(0.1e9), Seconds(5e-6)}},
    };
    for (const auto& [name, link] : cases) {
        SCOPED_TRACE(name);
        std::vector<Measurement> runs{measure(device, 1), measure(device, 64),
                                      measure(device, 256)};
        for (const std::uint64_t members : {2, 4, 8}) {
            runs.push_back(measure(device, 8, members, link));
        }
        const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
        ASSERT_TRUE(found.has_value());
        const auto between = calibrate_link(mixed_workload(), runs, *found, {});
        ASSERT_TRUE(between.has_value());
        EXPECT_EQ(between->points, 3u);
        EXPECT_LE(between->residual, 0.06);
        EXPECT_LE(between->bandwidth.low, between->bandwidth.value);
        const domain::Link same{between->bandwidth.value, between->latency.value};
        for (const std::uint64_t members : {2, 3, 6, 16}) {
            EXPECT_NEAR(
                measure(device, 8, members, same).step / measure(device, 8, members, link).step, 1,
                0.1)
                << members;
        }
    }
}

// Of shares far below those that were measured on one device it is not known what they compute in.
TEST(CalibrateLink, IsNotLedAstrayWhereTheComputationIsNotKnown) {
    const domain::Device device = device_of(1e12, 400e9);
    const domain::Link link{Bandwidth(0.05e9), Seconds(5e-6)};
    std::vector<Measurement> runs{measure(device, 64), measure(device, 256),
                                  measure(device, 128, 2, link)};
    const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
    ASSERT_TRUE(found.has_value());
    const auto known = calibrate_link(mixed_workload(), runs, *found, {});
    runs.push_back({32, 8, measure(device, 32, 8, link).step * 1.3});
    const auto beyond = calibrate_link(mixed_workload(), runs, *found, {});
    ASSERT_TRUE(known && beyond);
    EXPECT_NEAR(beyond->bandwidth.value / known->bandwidth.value, 1, 0.3);

    runs.pop_back();
    runs[2].step = runs[2].step * 1.3;
    const auto within = calibrate_link(mixed_workload(), runs, *found, {});
    ASSERT_TRUE(within);
    EXPECT_LT(within->bandwidth.value / known->bandwidth.value, 0.8) << "it is the exchange";
}

TEST(CalibrateLink, HasTheLatencyOfNoNetworkWhateverIsMeasured) {
    const domain::Device device = device_of(1e12, 400e9);
    std::vector<Measurement> runs{measure(device, 1), measure(device, 256)};
    for (const std::uint64_t members : {2, 8, 32}) {
        runs.push_back(measure(device, 8, members, {Bandwidth(10e9), Seconds(5e-3)}));
    }
    const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
    ASSERT_TRUE(found.has_value());
    const auto between = calibrate_link(mixed_workload(), runs, *found, {});
    ASSERT_TRUE(between);
    EXPECT_LE(between->latency.value, Seconds(200e-6));
}

TEST(CalibrateLink, SaysNothingOfAHiddenExchange) {
    const domain::Device device = device_of(1e9, 1e9);
    const Measurement runs[] = {
        measure(device, 64), measure(device, 256), {128, 2, measure(device, 64).step}};
    const auto found = calibrate_device(mixed_workload(), runs, {}, unknown_device());
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
}

struct BatchCase {
    const char* sentence;
    std::vector<domain::ProgressReport> reports;
    std::uint64_t least;  // 0 = cannot be told
    std::uint64_t most;
};

const BatchCase batches[] = {
    {"a step a line", reports({1, 1, 1}), 64, 64},
    {"ten steps a line may have a short one", reports({1, 1, 1}, 10), 64, 71},
    {"the smaller lines are those with a short one",
     {{10, 1, 640, Seconds(1)}, {20, 1, 1270, Seconds(1)}, {30, 2, 1910, Seconds(1)}},
     64,
     69},
    {"each line is an epoch with a short one",
     {{10, 1, 583, Seconds(1)}, {20, 2, 1166, Seconds(1)}, {30, 3, 1749, Seconds(1)}},
     59,
     64},
    {"a part of a sample is a short one",
     {{10, 1, 639, Seconds(1)}, {20, 2, 1278, Seconds(1)}},
     64,
     70},
    {"lines without samples", {{10, 1, 0, Seconds(1)}, {20, 1, 0, Seconds(1)}}, 0, 0},
    {"one line", reports({1}), 0, 0},
};

TEST(StepSamples, AreOfAWholeBatchWithinOneShortOneALine) {
    for (const BatchCase& test : batches) {
        const auto batch = step_samples(test.reports).value_or(StepSamples{});
        EXPECT_EQ(batch.least, test.least) << test.sentence;
        EXPECT_EQ(batch.most, test.most) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::cost
