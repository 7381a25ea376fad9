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
// Samples of a step with a whole batch.
Expected<std::uint64_t> step_samples(std::span<const domain::ProgressReport> reports);

// A figure, and the range of it with which the measurements are met nearly as well.
template <class Q>
struct Estimate {
    Q value;
    Q low;
    Q high;
};

struct DeviceEstimate {
    Estimate<FlopRate> peak;
    Estimate<Bandwidth> memory_bandwidth;
    Seconds step_overhead;   // of every step, where the rates alone do not meet the measurements
    std::size_t points = 0;  // different batches
    double residual = 0;     // root mean square of (predicted - measured) / measured
};

struct LinkEstimate {
    Estimate<Bandwidth> bandwidth;
    Estimate<Seconds> latency;
    std::size_t points = 0;
    double residual = 0;
};

// Where the measurements cannot tell a device's two roofs apart, they meet at this intensity: the
// order of magnitude of a CPU core and of a GPU in fp32.
constexpr double assumed_ridge = 10;  // FLOP a byte
// Where they cannot tell a link's latency from its bandwidth, a message's latency is worth this.
constexpr Bytes assumed_latency_worth(4096);

// The rates alone are enough where they meet the measurements so well (root mean square): then no
// part of a step is said to be the same whatever the batch.
constexpr double good_residual = 0.02;
// A fit that misses its own measurements by more says nothing of others.
constexpr double largest_residual = 0.15;

// From the measurements of one device alone; the others are passed over. Fails where there are
// none, where the workload takes no time, or where the best fit misses them by more than
// largest_residual.
Expected<DeviceEstimate> calibrate_device(const domain::Workload& workload,
                                          std::span<const Measurement> measurements,
                                          const domain::CostModel& model);

// From the measurements of several devices, given what one takes. Empty where there are none, or
// where each exchange is hidden behind the backward pass, so that nothing can be said.
std::optional<LinkEstimate> calibrate_link(const domain::Workload& workload,
                                           std::span<const Measurement> measurements,
                                           const DeviceEstimate& device,
                                           const domain::CostModel& model);

}  // namespace hora::cost
