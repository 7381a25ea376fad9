// How long does a job's step take on each number of GPUs, by what was predicted and what was
// measured, and how sure is that?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/elastic/speed/batch_range.hpp"
#include "libplanner/elastic/speed/slow_down.hpp"

namespace hora::elastic {

// What is thought of a step before anything is measured: of the job's one global batch, or of the
// smallest of its range. Each list is by GPUs: 1, 2, …
struct SpeedPrior {
    // As many as predictions are wanted for, each above 0.
    std::span<const Seconds> compute;
    // The gradients' exchange among so many GPUs of one node, whether or not it hides behind the
    // computation. Empty: none.
    std::span<const Seconds> exchange = {};
    std::uint32_t gpus_per_node = 1;  // a job of n GPUs is thought of as packed
    // Relative standard error of the prediction as a whole: it may be off by a factor.
    double uncertainty = 0.5;
    // The same among GPUs of several nodes. Empty: none until points show one.
    std::span<const Seconds> between = {};
    // What of the computation an exchange can hide behind: the backward pass of the last of the
    // passes that a batch is done in. Empty: half the computation.
    std::span<const Seconds> hiding = {};
    // Of `between`.
    SlowDown slow_down = {};
    // Empty: the job has one batch. The computation, and what hides behind it, grow as the batch.
    std::optional<BatchRange> batches = {};
};

// Steps that were timed at one size; several points of a size are welcome.
struct SpeedPoint {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    Seconds step;      // their median
    double steps = 1;  // how many were timed
    // Samples of each; 0: the job has one batch.
    std::uint64_t batch = 0;

    friend bool operator==(const SpeedPoint&, const SpeedPoint&) = default;
};

// What is thought of steps in general, chosen on published step times by trying few values of each:
// tests/bench/speed_models prints what that is worth on models and devices that had no part in it.
struct SpeedConstants {
    // Of the norm that adds up the terms: 1 is work done one after the other, 2 and more is work
    // that overlaps.
    double power = 1.5;
    // Standard deviation of what nothing is known of, in parts of a step on one GPU: what a ring
    // takes beyond its prior, an exchange between nodes without a prior.
    double unknown_part = 0.1;
    // Standard deviation of the logarithm of what an exchange between nodes takes that has no
    // prior, in those parts.
    double unknown_exchange = 3;
    // Relative standard errors of what the terms cannot express: at a size, and for each doubling
    // away from those that were measured.
    double size_error = 0.06;
    double doubling_error = 0.03;
    // Before another batch was tried nothing shows how much of a step grows with it. A batch up to
    // four times as large is hoped to bring a job on faster than expected by its growth to this
    // power, so that one is tried.
    double hope = 0.5;
};

// A step on so many nodes.
struct PlacedStep {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    Seconds step;
    std::uint64_t batch = 0;  // that it is done with; 0: the job has one
};

// Of a job with a range of batches a step is what brings it as far as one of the smallest batch,
// done with the batch that is the fastest for that.
struct SpeedCurve {
    // On 1, 2, … GPUs of the fewest nodes, as many as the prior has; each above 0.
    std::vector<Seconds> step;
    std::vector<double> uncertainty;     // relative standard error of each
    std::vector<PlacedStep> measured{};  // by GPUs, then nodes, then batch
    // Of a job with a range of batches; else empty. The batch of each `step`, and where steps were
    // measured, what is hoped of the fastest batch there.
    std::vector<std::uint64_t> batch{};
    std::vector<PlacedStep> fastest{};
    // By the points alone; empty where they say nothing of it.
    std::optional<SlowDown> shown_slow_down{};
};

// As it was measured on so many GPUs and nodes with this batch (0: the job has one); empty: it was
// not.
std::optional<Seconds> measured_step(const SpeedCurve& curve, std::uint32_t gpus,
                                     std::uint32_t nodes, std::uint64_t batch);

// The batch that is the fastest on so many GPUs and nodes; 0: the job has one batch.
std::uint64_t fastest_batch(const SpeedCurve& curve, std::uint32_t gpus, std::uint32_t nodes);

// On so many nodes: as measured there, or with the fastest batch as predicted from that; else, on
// the fewest, by the curve; else empty.
std::optional<Seconds> step_on(const SpeedCurve& curve, std::uint32_t gpus, std::uint32_t nodes,
                               std::uint32_t gpus_per_node);

// The prior, corrected by non-negative least squares:
//
//   step^p = x_1 compute^p + x_2 + x_3 ring^p, and beside it what of the exchange is not hidden,
//   between nodes slower by a factor that points show.
//
// p lies between work that is done one after the other and work that overlaps: a fixed part of a
// step, such as launches or input, hides partly behind the computation.
// Points of an impossible size or time are passed over, and so are sizes whose speed-up over others
// is beyond 1.2 times linear; one wild point of several moves little.
// Of a range of batches compute is the smallest one's, and grows as the batch.
// Time: O(points log points + log GPUs * log batches): beyond 64 GPUs sizes a doubling's 22nd part
// apart are computed, and those that were measured; between two of them the logarithm is a line.
SpeedCurve fit_speed(const SpeedPrior& prior, std::span<const SpeedPoint> points,
                     const SpeedConstants& constants = {});

}  // namespace hora::elastic
