// Which device, and which link between devices, would have taken the time that was measured?
#include "libplanner/cost/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/ratio_fit.hpp"
#include "libplanner/cost/step.hpp"

namespace hora::cost {
namespace {

double samples_between(const domain::ProgressReport& report, const domain::ProgressReport& before) {
    return (static_cast<double>(report.samples) - static_cast<double>(before.samples)) /
           static_cast<double>(report.step - before.step);
}

// Calls visit(report, its predecessor) for each report that took steps, after the warm-up.
template <class Visit>
void for_each_settled(std::span<const domain::ProgressReport> reports, Visit visit) {
    const std::size_t first = 1 + reports.size() / 10;
    for (std::size_t i = first; i < reports.size(); ++i) {
        // A restart goes back to its checkpoint: that pair of lines says nothing.
        if (reports[i].step > reports[i - 1].step) {
            visit(reports[i], reports[i - 1]);
        }
    }
}

Expected<double> median(std::vector<double> values) {
    if (values.empty()) {
        return failure(
            "too few progress lines: at least two that follow one another are needed; let the run "
            "take more steps");
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// A device of 1 byte a second whose roofs meet at the ridge: `ridge` FLOP/s.
domain::Device unit_device(double ridge) {
    domain::Device device;
    device.peak.fill(FlopRate(ridge));
    device.memory_bandwidth = Bandwidth(1);
    return device;
}

Step to_step(const domain::Workload& workload, const domain::Device& device,
             const Measurement& measurement, const domain::CostModel& model) {
    const std::uint64_t share = (measurement.batch + measurement.members - 1) / measurement.members;
    return {workload, device, share, model};
}

// The exchange that makes the step take as long as it did, 0 where it was hidden: a step's time
// never falls when its exchange rises.
Seconds exchange_behind(const Step& step, Seconds measured) {
    Seconds low;
    Seconds high = measured;
    for (int round = 0; round < 100; ++round) {
        const Seconds middle = (low + high) / 2;
        (step.time(middle) < measured ? low : high) = middle;
    }
    return step.time(Seconds(0)) < measured ? high : Seconds(0);
}

std::string misfit(const std::vector<Measurement>& runs, const RatioFit& fit) {
    const auto [least, most] = std::ranges::minmax(
        runs, {}, [](const Measurement& run) {
            return static_cast<double>(run.batch) / run.step.count();
        });
    return fmt::format(
        "no peak and memory bandwidth meet these runs: the best are off by {:.0f} % (root mean "
        "square), {:.0f} % at most; batch {} took {:.3g} s a step and batch {} {:.3g} s; was "
        "another job on the GPU, or did another model run?",
        100 * fit.residual, 100 * largest_residual, least.batch, least.step.count(), most.batch,
        most.step.count());
}

template <class Q>
void widen(Estimate<Q>& estimate, Q value) {
    estimate.low = std::min(estimate.low, value);
    estimate.high = std::max(estimate.high, value);
}

}  // namespace

Expected<Seconds> step_time(std::span<const domain::ProgressReport> reports) {
    // The last batch of an epoch is smaller: only whole ones count.
    double whole = 0;
    for_each_settled(reports, [&](const auto& report, const auto& before) {
        whole = std::max(whole, samples_between(report, before));
    });
    std::vector<double> times;
    for_each_settled(reports, [&](const auto& report, const auto& before) {
        if (samples_between(report, before) >= 0.99 * whole) {
            times.push_back(report.seconds.count() /
                            static_cast<double>(report.step - before.step));
        }
    });
    const auto middle = median(std::move(times));
    if (!middle) {
        return unexpected(middle.error());
    }
    if (*middle <= 0) {
        return failure("the steps took no time at all; were the progress lines written by a run?");
    }
    return Seconds(*middle);
}

Expected<std::uint64_t> step_samples(std::span<const domain::ProgressReport> reports) {
    double whole = 0;
    for_each_settled(reports, [&](const auto& report, const auto& before) {
        whole = std::max(whole, samples_between(report, before));
    });
    if (whole < 1) {
        return failure("the progress lines do not say how many samples a step takes");
    }
    return static_cast<std::uint64_t>(whole);
}

Expected<DeviceEstimate> calibrate_device(const domain::Workload& workload,
                                          std::span<const Measurement> measurements,
                                          const domain::CostModel& model) {
    std::vector<Measurement> alone;
    std::vector<Seconds> measured;
    std::set<std::uint64_t> batches;
    for (const Measurement& measurement : measurements) {
        if (measurement.members == 1) {
            alone.push_back(measurement);
            measured.push_back(measurement.step);
            batches.insert(measurement.batch);
        }
    }
    if (alone.empty()) {
        return wrong_use("no run on one device: one is needed to tell what the device can do");
    }
    const auto compute = [&](std::size_t i, double ridge) {
        return to_step(workload, unit_device(ridge), alone[i], model).compute();
    };
    if (!(compute(0, assumed_ridge) > Seconds(0))) {
        return failure("the model has no work at all; name the model that ran");
    }
    const auto fit_with = [&](Offset offset) {
        return fit_ratio(measured, compute, 1e-3, 1e5, assumed_ridge, offset);
    };
    RatioFit fit = fit_with(Offset::none);
    if (fit.residual > good_residual && batches.size() >= 3) {
        fit = fit_with(Offset::fitted);
    }
    if (fit.residual > largest_residual) {
        return failure(misfit(alone, fit));
    }
    const FlopRate peak(fit.ratio / fit.scale);
    const Bandwidth bandwidth(1 / fit.scale);
    DeviceEstimate estimate{.peak = {peak, peak, peak},
                            .memory_bandwidth = {bandwidth, bandwidth, bandwidth},
                            .step_overhead = fit.offset,
                            .points = batches.size(),
                            .residual = fit.residual};
    for (const RatioFit::Near& near : fit.near) {
        widen(estimate.peak, FlopRate(near.ratio / near.scale));
        widen(estimate.memory_bandwidth, Bandwidth(1 / near.scale));
    }
    return estimate;
}

std::optional<LinkEstimate> calibrate_link(const domain::Workload& workload,
                                           std::span<const Measurement> measurements,
                                           const DeviceEstimate& device,
                                           const domain::CostModel& model) {
    domain::Device known;
    known.peak.fill(device.peak.value);
    known.memory_bandwidth = device.memory_bandwidth.value;
    known.efficiency.step = device.step_overhead;
    std::vector<std::uint64_t> members;
    std::vector<Seconds> measured;
    for (const Measurement& measurement : measurements) {
        const Seconds exchange =
            exchange_behind(to_step(workload, known, measurement, model), measurement.step);
        if (measurement.members > 1 && exchange > Seconds(0)) {
            members.push_back(measurement.members);
            measured.push_back(exchange);
        }
    }
    const Bytes gradients = gradient_bytes(workload);
    if (measured.empty() || !(gradients > Bytes(0))) {
        return std::nullopt;
    }
    // At 1 byte a second a message's latency in seconds is what it is worth in bytes.
    const auto exchange = [&](std::size_t i, double latency) {
        return exchange_time(model.exchange, gradients, members[i],
                             {Bandwidth(1), Seconds(latency)});
    };
    const RatioFit fit =
        fit_ratio(measured, exchange, 1, 1e9, assumed_latency_worth.count(), Offset::none);
    const Bandwidth bandwidth(1 / fit.scale);
    const Seconds latency(fit.ratio * fit.scale);
    LinkEstimate estimate{.bandwidth = {bandwidth, bandwidth, bandwidth},
                          .latency = {latency, latency, latency},
                          .points = std::set(members.begin(), members.end()).size(),
                          .residual = fit.residual};
    for (const RatioFit::Near& near : fit.near) {
        widen(estimate.bandwidth, Bandwidth(1 / near.scale));
        widen(estimate.latency, Seconds(near.ratio * near.scale));
    }
    return estimate;
}

}  // namespace hora::cost
