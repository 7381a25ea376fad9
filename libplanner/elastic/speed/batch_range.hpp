// What is a larger batch worth to a program that scales its learning rate with the batch?
//
// A step of m samples brings a training as far as
//     gain(m) = m / min * (noise + min) / (noise + m)
// steps of the smallest batch, where `noise` is the gradient noise scale: the batch at which twice
// the samples are needed for the same progress (McCandlish et al., "An Empirical Model of
// Large-Batch Training", 2018, section 2.3; AdaScale, Johnson et al., ICML 2020, scales learning
// rates by it; Pollux, OSDI 2021, calls gain times steps a second goodput). Of Pollux's six
// applications one noise scale each meets the samples that validated batches need to 1.1 % (root of
// mean square, batches up to 128 times the smallest).
#pragma once

#include <cstdint>
#include <vector>

namespace hora::elastic {

struct PossibleBatch {
    std::uint64_t batch = 1;
    std::uint32_t least = 1;  // GPUs below which a job cannot train with it

    friend bool operator==(const PossibleBatch&, const PossibleBatch&) = default;
};

// Global batches, in samples; 1 <= min <= max.
struct BatchRange {
    std::uint64_t min = 1;
    std::uint64_t max = 1;
    double noise_scale = 0;  // in samples; 0: not known, and no batch is worth more than another
    // The only ones that are possible, ascending, with one at least that is on one GPU; empty: all.
    std::vector<PossibleBatch> only{};

    friend bool operator==(const BatchRange&, const BatchRange&) = default;
};

// In steps of the smallest batch; from 1 to batch / min.
inline double gain(const BatchRange& range, std::uint64_t batch) {
    const auto least = static_cast<double>(range.min);
    const auto samples = static_cast<double>(batch);
    return samples / least * (range.noise_scale + least) / (range.noise_scale + samples);
}

// Those that are weighed: the smallest, each twice the one before, and the largest. A batch in
// between would gain 3 % over these at most. Where the noise scale is not known, the smallest
// alone. Where only some are possible, these: of them the first that is possible on so many GPUs is
// the only one that counts without a noise scale.
inline std::vector<PossibleBatch> weighed_batches(const BatchRange& range) {
    if (!range.only.empty()) {
        return range.only;
    }
    std::vector<PossibleBatch> batches{{range.min}};
    if (range.noise_scale > 0) {
        while (batches.back().batch <= range.max / 2) {
            batches.push_back({2 * batches.back().batch});
        }
        if (batches.back().batch != range.max) {
            batches.push_back({range.max});
        }
    }
    return batches;
}

}  // namespace hora::elastic
