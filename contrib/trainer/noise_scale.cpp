// How noisy is a gradient, and what is a step of a larger batch worth?
#include "contrib/trainer/noise_scale.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/speed/batch_range.hpp"

namespace hora::trainer {
namespace {

// In smallest batches: long enough that the averages are more signal than noise, short enough that
// they follow the training.
constexpr double window = 24;

// Of the weight of a full average; with less, the noise scale is not known yet.
constexpr double enough = 0.5;

}  // namespace

// With n parts of b_i samples whose mean gradients are g_i, and g that of all B samples:
//   E|g|² = |G|² + tr(Σ)/B,   E Σ (b_i/B) |g_i|² = |G|² + n tr(Σ)/B
// Both estimates are those of the paper where the parts are of one size. Plain sums and quotients:
// all ranks get the same bits, also those on other processors.
void NoiseScale::add(const GradientSquares& squares, std::uint64_t batch) {
    const double parts = squares.parts;
    if (parts < 2) {
        return;
    }
    const auto samples = static_cast<double>(batch);
    const double of_parts = squares.of_parts / samples;
    const double of_batch = squares.of_batch / (samples * samples);
    const double signal = (parts * of_batch - of_parts) / (parts - 1);
    const double noise = (of_parts - of_batch) * samples / (parts - 1);
    if (!std::isfinite(signal) || !std::isfinite(noise)) {
        return;
    }
    // A sample has the same weight in a batch of any size.
    const double share = samples / (samples + window * static_cast<double>(smallest_batch_));
    state_.signal += share * (signal - state_.signal);
    state_.noise += share * (noise - state_.noise);
    state_.weight += share * (1 - state_.weight);
    if (state_.weight < enough) {
        return;
    }
    const double value = state_.noise / state_.signal;  // of the same weight
    if (value > 0 && std::isfinite(value)) {
        state_.value = value;
    }
}

std::optional<double> NoiseScale::value() const {
    return state_.value > 0 ? std::optional(state_.value) : std::nullopt;
}

double gain(std::uint64_t batch, std::uint64_t smallest_batch, std::optional<double> noise_scale) {
    if (!noise_scale || batch <= smallest_batch) {
        return 1;
    }
    const double steps = static_cast<double>(batch) / static_cast<double>(smallest_batch);
    const elastic::BatchRange range{
        .min = smallest_batch, .max = batch, .noise_scale = *noise_scale};
    return std::clamp(elastic::gain(range, batch), 1.0, steps);  // rounding may leave that
}

}  // namespace hora::trainer
