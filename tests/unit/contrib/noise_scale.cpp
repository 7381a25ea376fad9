#include "contrib/trainer/noise_scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace hora::trainer {
namespace {

// Gradients of samples: normal, with mean `signal` in each of the dimensions and a variance that
// grows from dimension to dimension. Their noise scale is known.
struct Gradients {
    static constexpr std::size_t dimensions = 50;
    double signal = 0;
    std::mt19937_64 random{1};

    static double variance(std::size_t dimension) { return 1 + static_cast<double>(dimension); }
    static double total_variance() { return dimensions * (dimensions + 1) / 2.0; }
    double noise_scale() const {
        return total_variance() / (static_cast<double>(dimensions) * signal * signal);
    }
    std::vector<double> sum_of(std::uint64_t samples) {
        std::vector<double> sum(dimensions, 0.0);
        for (std::size_t i = 0; i < dimensions; ++i) {
            std::normal_distribution<double> one(signal, std::sqrt(variance(i)));
            for (std::uint64_t sample = 0; sample < samples; ++sample) {
                sum[i] += one(random);
            }
        }
        return sum;
    }
};

double square(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

using Parts = std::vector<std::uint64_t>;

GradientSquares squares_of(Gradients& gradients, const Parts& parts) {
    GradientSquares squares;
    std::vector<double> all(Gradients::dimensions, 0.0);
    for (const std::uint64_t samples : parts) {
        if (samples == 0) {
            continue;
        }
        const std::vector<double> sum = gradients.sum_of(samples);
        squares.parts += 1;
        squares.of_parts += square(sum) / static_cast<double>(samples);
        std::transform(sum.begin(), sum.end(), all.begin(), all.begin(), std::plus<>());
    }
    squares.of_batch = square(all);
    return squares;
}

std::uint64_t samples_in(const Parts& parts) {
    return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

struct Case {
    const char* sentence;
    double signal;
    Parts parts;
    std::uint64_t smallest;
};

const Case cases[] = {
    {"two halves", 1, {16, 16}, 32},
    {"as many parts as samples", 1, Parts(32, 1), 32},
    {"uneven shares", 1, {20, 8, 4}, 32},
    {"very uneven shares", 1, {61, 2, 1}, 64},
    {"an idle rank is no part", 1, {16, 0, 16}, 32},
    {"more noise than signal", 0.5, Parts(8, 16), 32},
    {"hardly any noise", 10, Parts(4, 4), 16},
    {"a batch much larger than the smallest", 1, Parts(8, 32), 16},
};

// One batch says little: the mean over many, each of which has an average of its own.
TEST(NoiseScale, IsThatOfTheSamplesGradients) {
    for (const Case& test : cases) {
        Gradients gradients{.signal = test.signal};
        const std::uint64_t batch = samples_in(test.parts);
        double signal = 0;
        double noise = 0;
        constexpr int repeats = 400;
        for (int i = 0; i < repeats; ++i) {
            NoiseScale scale(test.smallest);
            scale.add(squares_of(gradients, test.parts), batch);
            signal += scale.state().signal / scale.state().weight / repeats;
            noise += scale.state().noise / scale.state().weight / repeats;
        }
        const double exact = Gradients::dimensions * test.signal * test.signal;
        EXPECT_NEAR(signal, exact, 0.05 * exact) << test.sentence;
        EXPECT_NEAR(noise, Gradients::total_variance(), 0.05 * Gradients::total_variance())
            << test.sentence;
    }
}

TEST(NoiseScale, IsKnownOnceEnoughWasMeasured) {
    Gradients gradients{.signal = 1};
    NoiseScale scale(32);
    int batches = 0;
    for (; !scale.value() && batches < 100; ++batches) {
        scale.add(squares_of(gradients, Parts(4, 8)), 32);
    }
    EXPECT_GE(batches, 10);
    EXPECT_LE(batches, 30);
    for (; batches < 200; ++batches) {
        scale.add(squares_of(gradients, Parts(4, 8)), 32);
    }
    EXPECT_NEAR(*scale.value(), gradients.noise_scale(), 0.3 * gradients.noise_scale());
    EXPECT_NEAR(scale.state().weight, 1, 0.01);

    NoiseScale large(32);
    large.add(squares_of(gradients, Parts(4, 256)), 1024);
    EXPECT_TRUE(large.value()) << "one batch of 32 smallest ones";
}

TEST(NoiseScale, KeepsItsLastValueWhileTheNoiseHidesTheSignal) {
    NoiseScale scale(1);
    const GradientSquares clear{.parts = 2, .of_parts = 400, .of_batch = 30'000};
    scale.add(clear, 100);
    const auto known = scale.value();
    ASSERT_TRUE(known);
    const GradientSquares hidden{.parts = 2, .of_parts = 4'000, .of_batch = 100};
    scale.add(hidden, 100);
    EXPECT_LT(scale.state().signal, 0);
    EXPECT_EQ(scale.value(), known);
}

TEST(NoiseScale, IsNotMovedByWhatSaysNothing) {
    const GradientSquares nothing[] = {
        {},
        {.parts = 1, .of_parts = 4, .of_batch = 128},
        {.parts = 2, .of_parts = HUGE_VAL, .of_batch = 1},
        {.parts = 2, .of_parts = 1, .of_batch = std::nan("")},
    };
    for (const GradientSquares& squares : nothing) {
        NoiseScale scale(32);
        scale.add(squares, 32);
        EXPECT_EQ(scale.state(), NoiseScale::State{});
    }
}

TEST(NoiseScale, GoesOnAsBefore) {
    Gradients gradients{.signal = 1};
    NoiseScale whole(32);
    NoiseScale first(32);
    for (int i = 0; i < 30; ++i) {
        const GradientSquares squares = squares_of(gradients, Parts(4, 8));
        whole.add(squares, 32);
        first.add(squares, 32);
    }
    NoiseScale second(32);
    second.restore(first.state());
    EXPECT_EQ(second.value(), whole.value());
    const GradientSquares squares = squares_of(gradients, Parts(4, 32));
    whole.add(squares, 128);
    second.add(squares, 128);
    EXPECT_EQ(second.state(), whole.state());
}

struct GainCase {
    const char* sentence;
    std::uint64_t batch;
    std::uint64_t smallest;
    std::optional<double> noise_scale;
    double gain;
};

const GainCase gain_cases[] = {
    {"the smallest batch is worth one step", 64, 64, 1e6, 1},
    {"the rest of an epoch is worth one too", 29, 64, 1e6, 1},
    {"nothing is known", 1024, 64, std::nullopt, 1},
    {"noise alone: as many as samples", 1024, 64, 1e12, 16},
    {"signal alone: one", 1024, 64, 1e-12, 1},
    {"a noise scale as the batch", 192, 64, 192, 2},
    {"a noise scale as the smallest batch", 192, 64, 64, 1.5},
};

TEST(Gain, IsThatOfAdaScale) {
    for (const GainCase& test : gain_cases) {
        EXPECT_NEAR(gain(test.batch, test.smallest, test.noise_scale), test.gain, 1e-6)
            << test.sentence;
    }
}

RC_GTEST_PROP(Gain, GrowsWithBatchAndNoise, ()) {
    const auto smallest = *rc::gen::inRange<std::uint64_t>(1, 10'000);
    const auto batch = smallest + *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const double noise = std::exp(*rc::gen::inRange<int>(-30, 30));
    const double steps = static_cast<double>(batch) / static_cast<double>(smallest);
    const double worth = gain(batch, smallest, noise);
    RC_ASSERT(worth >= 1.0);
    RC_ASSERT(worth <= steps);
    RC_ASSERT(gain(batch + 1, smallest, noise) >= worth * (1 - 1e-12));
    RC_ASSERT(gain(batch, smallest, 2 * noise) >= worth * (1 - 1e-12));
}

}  // namespace
}  // namespace hora::trainer
