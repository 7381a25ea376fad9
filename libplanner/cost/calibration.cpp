// Which device, and which link between devices, would have taken the time that was measured?
#include "libplanner/cost/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "libplanner/base/median.hpp"
#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/ratio_fit.hpp"
#include "libplanner/cost/step.hpp"

namespace hora::cost {
namespace {

constexpr double nearly = 0.01;             // in a residual
constexpr double one_deviation = 1;         // squared
constexpr double most_latency_worth = 1e9;  // bytes
constexpr Seconds most_latency(200e-6);     // of a message, TCP's included

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

// What one device takes for a run but for a step's own time, with this ratio of compute to memory.
using UnitCompute = std::function<Seconds(std::size_t run, double ratio)>;

// How far machines and networks are from a known type's figures: standard deviations of the
// logarithms of the ratio of compute to memory, of both, of a step's own time, and of a run.
constexpr double usual_ratio = 0.3;
constexpr double usual_scale = 0.5;
constexpr double usual_step = 1;
constexpr double usual_run = 0.05;

// The likeliest (Gaussian about the known figures) on a grid of ratios and steps' own times, for
// each of which the scale follows as in fit_ratio().
RatioFit fit_known(const std::vector<Seconds>& measured, const UnitCompute& compute,
                   Seconds known_step) {
    constexpr double widest = 4;
    constexpr double factor = 1.02;
    constexpr double step_factor = 1.1;
    constexpr double widest_step = 16;
    const auto square_of_log = [](double of, double usual) {
        return std::pow(std::log(of) / usual, 2);
    };
    double best_score = std::numeric_limits<double>::infinity();
    RatioFit best;
    best.residual = best_score;
    std::vector<std::pair<double, RatioFit::Near>> all;
    for (double ratio = 1 / widest; ratio < widest * factor; ratio *= factor) {
        std::vector<Seconds> unit;
        for (std::size_t i = 0; i < measured.size(); ++i) {
            unit.push_back(compute(i, ratio));
        }
        for (double times = 1 / widest_step; times < widest_step * step_factor;
             times *= step_factor) {
            const Seconds step = known_step * times;
            double sum = 0;
            double squares = 0;
            for (std::size_t i = 0; i < measured.size(); ++i) {
                const double share = unit[i] / measured[i];
                sum += share * (1 - step / measured[i]);
                squares += share * share;
            }
            const double scale = sum / squares;
            if (!(scale > 0)) {
                continue;  // a step's own time alone takes longer
            }
            double off = 0;
            for (std::size_t i = 0; i < measured.size(); ++i) {
                off += std::pow((step + unit[i] * scale) / measured[i] - 1, 2);
            }
            const double score = off / (usual_run * usual_run) + square_of_log(ratio, usual_ratio) +
                                 square_of_log(scale, usual_scale) +
                                 square_of_log(times, usual_step);
            const double residual = std::sqrt(off / static_cast<double>(measured.size()));
            all.push_back({residual, {ratio, scale}});
            if (score < best_score) {
                best_score = score;
                best = {ratio, scale, step, residual, {}};
            }
        }
    }
    for (const auto& [residual, near] : all) {
        if (residual <= best.residual + nearly) {
            best.near.push_back(near);
        }
    }
    return best;
}

// Of a device of which nothing is known, rates alone are tried first.
RatioFit fit_unknown(const std::vector<Seconds>& measured, const UnitCompute& compute,
                     std::size_t batches) {
    constexpr double low = 1e-3;
    constexpr double high = 1e5;
    const RatioFit fit = fit_ratio(measured, compute, low, high, assumed_ridge, Offset::none);
    return fit.residual > good_residual && batches >= 3
               ? fit_ratio(measured, compute, low, high, assumed_ridge, Offset::fitted)
               : fit;
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

// A run on several devices.
struct Exchange {
    Step step;
    Measurement measurement;
    double uncertainty = 0;  // of the step, relative (standard deviation)
};

// With this worth of a message's latency the exchanges take `scale` times what they do at 1 byte a
// second.
struct LinkFit {
    double worth = 0;
    double scale = 0;
    double misses = 0;  // mean square of the steps' errors, each in units of its uncertainty

    bool is_told = false;  // the runs would be missed without any exchange
};

using UnitExchange = std::function<Seconds(const Exchange& run, double worth)>;

double off(const Exchange& run, Seconds exchange) {
    return run.step.time(exchange) / run.measurement.step - 1;
}

// What a step computes is known where its share was measured on one device, and by a tenth less
// with each doubling beyond.
double uncertainty_of(const Step& step, const Measurement& measurement,
                      const std::pair<std::uint64_t, std::uint64_t>& shares) {
    constexpr double of_a_run = 0.03;
    constexpr double of_a_doubling = 0.1;
    const double share =
        static_cast<double>(measurement.batch) / static_cast<double>(measurement.members);
    const double beyond = std::max({std::log2(static_cast<double>(shares.first) / share),
                                    std::log2(share / static_cast<double>(shares.second)), 0.0});
    return std::hypot(of_a_run, of_a_doubling * beyond * (step.compute() / measurement.step));
}

// The steps are what is met, not the exchanges: what these leave of a step is mostly the error of
// its computation where they are short. Of the scales that miss the runs by no more than
// their uncertainty the least is taken: a link is only as slow as they tell.
LinkFit best_link(const std::vector<Exchange>& runs, double worth, const UnitExchange& unit,
                  Seconds longest) {
    constexpr double factor = 1.02;
    constexpr double widest = 1e6;
    std::vector<Seconds> units;
    for (const Exchange& run : runs) {
        units.push_back(unit(run, worth));
    }
    const auto misses = [&](double scale) {
        double sum = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            sum += std::pow(off(runs[i], units[i] * scale) / runs[i].uncertainty, 2);
        }
        return sum / static_cast<double>(runs.size());
    };
    const double most = 2 * (longest / *std::ranges::min_element(units));
    double least = std::numeric_limits<double>::infinity();
    std::vector<LinkFit> fits;
    for (double scale = most; scale > most / widest; scale /= factor) {
        fits.push_back({worth, scale, misses(scale)});
        least = std::min(least, fits.back().misses);
    }
    LinkFit best = *std::find_if(fits.rbegin(), fits.rend(), [&](const LinkFit& fit) {
        return fit.misses <= least + one_deviation;
    });
    best.is_told = misses(0) > least + one_deviation;
    return best;
}

std::string misfit(const std::vector<Measurement>& runs, const RatioFit& fit) {
    const auto [least, most] = std::ranges::minmax(runs, {}, [](const Measurement& run) {
        return static_cast<double>(run.batch) / run.step.count();
    });
    if (!std::isfinite(fit.residual)) {
        return fmt::format(
            "batch {} took {:.3g} s a step, less than a step on this GPU takes beside its layers; "
            "do the progress lines have the seconds of a step? So small a network says nothing "
            "about larger ones: calibrate with a larger one, or give the GPU another name (--gpu)",
            most.batch, most.step.count());
    }
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

domain::Device unknown_device() {
    domain::Device device;
    device.peak.fill(FlopRate(1));
    device.memory_bandwidth = Bandwidth(1);
    return device;
}

domain::Device DeviceEstimate::device() const {
    domain::Device device = base;
    device.efficiency = base.efficiency.times(compute.value, memory.value);
    device.efficiency.step = step_overhead;
    return device;
}

bool is_usual(const DeviceEstimate& estimate) {
    constexpr double networks = 0.31;
    const double most = std::exp(3 * networks);
    const auto [least_factor, most_factor] =
        std::minmax(estimate.compute.value, estimate.memory.value);
    return least_factor > 1 / most && most_factor < most;
}

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
    if (times.empty()) {
        return failure(
            "too few progress lines: at least two that follow one another are needed; let the run "
            "take more steps");
    }
    const double middle = median(times);
    if (middle <= 0) {
        return failure("the steps took no time at all; were the progress lines written by a run?");
    }
    return Seconds(middle);
}

Expected<StepSamples> step_samples(std::span<const domain::ProgressReport> reports) {
    StepSamples batch{.least = 0, .most = std::numeric_limits<std::uint64_t>::max()};
    for_each_settled(reports, [&](const auto& report, const auto& before) {
        if (report.samples <= before.samples) {
            return;
        }
        const std::uint64_t samples = report.samples - before.samples;
        const std::uint64_t steps = report.step - before.step;
        batch.least = std::max(batch.least, samples / steps + (samples % steps != 0 ? 1 : 0));
        if (steps > 1) {  // the short one has a sample at least
            batch.most = std::min(batch.most, (samples - 1) / (steps - 1));
        }
    });
    if (batch.least == 0) {
        return failure("the progress lines do not say how many samples a step takes");
    }
    const bool has_long_lines = batch.most < std::numeric_limits<std::uint64_t>::max();
    batch.most = has_long_lines ? std::max(batch.least, batch.most) : batch.least;
    return batch;
}

Expected<DeviceEstimate> calibrate_device(const domain::Workload& workload,
                                          std::span<const Measurement> measurements,
                                          const domain::CostModel& model,
                                          const domain::Device& base) {
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
    // All that it takes but for a step's own time, at this ratio of compute to memory.
    const auto compute = [&](std::size_t i, double ratio) {
        domain::Device device = base;
        device.efficiency = base.efficiency.times(ratio, 1);
        device.efficiency.step = {};
        return to_step(workload, device, alone[i], model).compute();
    };
    const bool is_known = !base.name.empty();
    if (!(compute(0, is_known ? 1 : assumed_ridge) > Seconds(0))) {
        return failure("the model has no work at all; name the model that ran");
    }
    const RatioFit fit = is_known ? fit_known(measured, compute, base.efficiency.step)
                                  : fit_unknown(measured, compute, batches.size());
    if (fit.residual > largest_residual) {
        return failure(misfit(alone, fit));
    }
    const double rate = 1 / fit.scale;
    DeviceEstimate estimate{.base = base,
                            .compute = {fit.ratio * rate, fit.ratio * rate, fit.ratio * rate},
                            .memory = {rate, rate, rate},
                            .step_overhead = fit.offset,
                            .points = batches.size(),
                            .residual = fit.residual};
    for (const RatioFit::Near& near : fit.near) {
        widen(estimate.compute, near.ratio / near.scale);
        widen(estimate.memory, 1 / near.scale);
    }
    return estimate;
}

std::optional<LinkEstimate> calibrate_link(const domain::Workload& workload,
                                           std::span<const Measurement> measurements,
                                           const DeviceEstimate& device,
                                           const domain::CostModel& model) {
    const domain::Device known = device.device();
    std::pair<std::uint64_t, std::uint64_t> shares{std::numeric_limits<std::uint64_t>::max(), 0};
    for (const Measurement& measurement : measurements) {
        if (measurement.members == 1) {
            shares = {std::min(shares.first, measurement.batch),
                      std::max(shares.second, measurement.batch)};
        }
    }
    std::vector<Exchange> runs;
    std::set<std::uint64_t> members;
    Seconds longest;
    for (const Measurement& measurement : measurements) {
        if (measurement.members > 1) {
            const Step step = to_step(workload, known, measurement, model);
            longest = std::max(longest, exchange_behind(step, measurement.step));
            members.insert(measurement.members);
            runs.push_back({step, measurement, uncertainty_of(step, measurement, shares)});
        }
    }
    const Bytes gradients = gradient_bytes(workload);
    if (!(longest > Seconds(0)) || !(gradients > Bytes(0))) {
        return std::nullopt;
    }
    // At 1 byte a second a message's latency in seconds is what it is worth in bytes.
    const auto unit = [&](const Exchange& run, double worth) {
        return exchange_time(
            model.exchange, gradients,
            one_on_each_node(run.measurement.members, {Bandwidth(1), Seconds(worth)}));
    };
    std::vector<LinkFit> fits;
    for (double worth = 1; worth <= most_latency_worth; worth *= 2) {
        const LinkFit fit = best_link(runs, worth, unit, longest);
        if (fit.is_told && Seconds(worth * fit.scale) <= most_latency) {
            fits.push_back(fit);
        }
    }
    if (fits.empty()) {
        return std::nullopt;
    }
    // The usual worth of a latency, unless another one is given.
    const double least = std::ranges::min_element(fits, {}, &LinkFit::misses)->misses;
    const auto distance = [&](const LinkFit& fit) {
        return fit.misses > least + one_deviation
                   ? std::numeric_limits<double>::infinity()
                   : std::abs(std::log(fit.worth / assumed_latency_worth.count()));
    };
    const LinkFit best = *std::ranges::min_element(fits, {}, distance);
    const Bandwidth bandwidth(1 / best.scale);
    const Seconds latency(best.worth * best.scale);
    double squares = 0;
    for (const Exchange& run : runs) {
        squares += std::pow(off(run, unit(run, best.worth) * best.scale), 2);
    }
    LinkEstimate estimate{.bandwidth = {bandwidth, bandwidth, bandwidth},
                          .latency = {latency, latency, latency},
                          .points = members.size(),
                          .residual = std::sqrt(squares / static_cast<double>(runs.size()))};
    for (const LinkFit& fit : fits) {
        if (fit.misses <= least + one_deviation) {
            widen(estimate.bandwidth, Bandwidth(1 / fit.scale));
            widen(estimate.latency, Seconds(fit.worth * fit.scale));
        }
    }
    return estimate;
}

}  // namespace hora::cost
