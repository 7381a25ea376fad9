// Which device, and which link between devices, would have taken the time that was measured?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/progress.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// One run: so many devices of one type, equal shares of the batch.
struct Measurement {
    std::uint64_t batch = 0;  // global
    std::uint64_t members = 1;
    Seconds step;
};

// The median over the reports' steps of whole batches, without the first tenth (caches warm up,
// files are read). Fails where fewer than two reports follow one another.
Expected<Seconds> step_time(std::span<const domain::ProgressReport> reports);

// The range of batches that agree with the reports. An epoch ends with a smaller batch, and a
// report over several steps does not say whether one of these was such.
struct StepSamples {
    std::uint64_t least = 0;  // if all batches were whole
    std::uint64_t most = 0;   // if each report of several steps had one smaller batch
};

// How many samples a step with a whole batch takes. Fails where the reports name no samples.
Expected<StepSamples> step_samples(std::span<const domain::ProgressReport> reports);

// A figure, and the range of it with which the measurements are met nearly as well.
template <class Q>
struct Estimate {
    Q value;
    Q low;
    Q high;
};

// How many times as much as `base` the device attains, of its arithmetic and of what it moves.
struct DeviceEstimate {
    domain::Device base;
    Estimate<double> compute;
    Estimate<double> memory;
    Seconds step_overhead;   // of every step
    std::size_t points = 0;  // different batches
    double residual = 0;     // root mean square of (predicted - measured) / measured

    domain::Device device() const;  // that takes what was measured
};

struct LinkEstimate {
    Estimate<Bandwidth> bandwidth;
    Estimate<Seconds> latency;
    std::size_t points = 0;  // different numbers of devices
    double residual = 0;     // of the steps on several devices, as above
};

// A device of which nothing is known: a FLOP and a byte a second, all of which it attains, so that
// an estimate's factors are rates.
domain::Device unknown_device();

// Where the measurements cannot tell the two roofs of an unknown device apart, they meet at this
// intensity: the order of magnitude of a CPU core and of a GPU in fp32. Those of a known one keep
// their ratio.
constexpr double assumed_ridge = 10;  // FLOP a byte
// Where they cannot tell a link's latency from its bandwidth, a message's latency is worth this.
constexpr Bytes assumed_latency_worth(4096);

// Of an unknown device what every step takes is fitted, too, where three batches or more are not
// met so well without it (root mean square).
constexpr double good_residual = 0.02;
// A fit that misses its own measurements by more says nothing of others.
constexpr double largest_residual = 0.15;

// From the measurements of one device alone; the others are passed over. Fails where there are
// none, where the workload takes no time, or where the best fit misses them by more than
// largest_residual. `base`: unknown_device(), or a known one, whose figures hold as far as the
// measurements tell no others.
Expected<DeviceEstimate> calibrate_device(const domain::Workload& workload,
                                          std::span<const Measurement> measurements,
                                          const domain::CostModel& model,
                                          const domain::Device& base);

// Is a known device off by no more than networks are among each other? Then the runs of one of them
// tell nothing of others: of published throughputs on one type of GPU (tests/bench/truth) networks
// are off by 0.31 (standard deviation of the logarithm), the same type at other publishers by 0.07.
bool is_usual(const DeviceEstimate& estimate);

// From the measurements of several devices, given what one takes: the fastest link that the steps
// allow, where a computation is the more uncertain the further its share lies from those that were
// measured on one device. Empty where there are none, where each exchange is hidden behind the
// backward pass, or where no step shows one.
std::optional<LinkEstimate> calibrate_link(const domain::Workload& workload,
                                           std::span<const Measurement> measurements,
                                           const DeviceEstimate& device,
                                           const domain::CostModel& model);

}  // namespace hora::cost
