#include "contrib/nccl/passes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "contrib/nccl/host_queue.hpp"

namespace hora::trainer {
namespace {

constexpr double close = 1e-11;

std::vector<Digit> some_digits(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Digit> digits(count);
    for (Digit& digit : digits) {
        for (double& pixel : digit.pixels) {
            pixel = static_cast<double>(random() % 17) / 16;
        }
        digit.label = random() % class_count;
    }
    return digits;
}

// A network on this CPU, and the same one as arrays that hold its images.
class Both {
  public:
    Both(const std::vector<Digit>& digits, std::size_t samples, std::uint64_t seed)
        : digits_(digits), network_(seed), host_(digits.size(), samples) {
        const Arrays& a = host_.arrays();
        std::mt19937_64 random(seed);
        for (double& parameter : network_.parameters()) {  // biases are 0 otherwise
            parameter += static_cast<double>(random() % 1000) / 1e4 - 0.05;
        }
        std::ranges::copy(network_.parameters(), a.parameters);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            std::ranges::copy(digits[i].pixels, a.pixels + i * image_size);
            a.labels[i] = digits[i].label;
        }
    }

    Network& network() { return network_; }
    const Arrays& arrays() const { return host_.arrays(); }

    void run(const std::vector<std::size_t>& samples) {
        const Arrays& a = host_.arrays();
        std::ranges::copy(samples, a.samples);
        HostQueue queue;
        forward(queue, a, samples.size());
        lose(queue, a, samples.size());
        for (const Layer layer : {Layer::dense, Layer::second, Layer::first}) {
            backward(queue, a, samples.size(), layer);
        }
    }

    // The gradient and, behind it, the loss.
    std::vector<double> reference(const std::vector<std::size_t>& samples) {
        std::vector<double> sums(loss_at + 1);
        const auto gradient = std::span(sums).first<Network::parameter_count>();
        for (const std::size_t sample : samples) {
            sums[loss_at] += network_.learn(digits_[sample], gradient);
        }
        return sums;
    }

  private:
    const std::vector<Digit>& digits_;
    Network network_;
    HostArrays host_;
};

std::size_t first_difference(const std::vector<double>& expected, const double* found) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!(std::abs(expected[i] - found[i]) <= close * std::max(1.0, std::abs(expected[i])))) {
            return i;
        }
    }
    return expected.size();
}

TEST(Passes, GiveTheGradientOfTheNetworkOnACpu) {
    struct Case {
        const char* name;
        std::vector<std::size_t> samples;
    };
    const Case cases[] = {
        {"nothing", {}},
        {"the first", {0}},
        {"the last", {19}},
        {"two in order", {3, 4}},
        {"out of order", {7, 2, 11}},
        {"one twice", {5, 5}},
        {"all", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}},
    };
    const auto digits = some_digits(20, 1);
    Both both(digits, digits.size(), 4);
    for (const Case& c : cases) {
        both.run(c.samples);
        const auto expected = both.reference(c.samples);
        EXPECT_EQ(first_difference(expected, both.arrays().sums), expected.size()) << c.name;
    }
}

RC_GTEST_PROP(Passes, GiveItForAnyBatchAndWeights, ()) {
    const auto images = *rc::gen::inRange<std::size_t>(1, 12);
    const auto samples = *rc::gen::container<std::vector<std::size_t>>(
        *rc::gen::inRange<std::size_t>(0, 6), rc::gen::inRange<std::size_t>(0, images));
    const auto digits = some_digits(images, *rc::gen::arbitrary<std::uint64_t>());
    Both both(digits, samples.size(), *rc::gen::arbitrary<std::uint64_t>());
    both.run(samples);
    const auto expected = both.reference(samples);
    RC_ASSERT(first_difference(expected, both.arrays().sums) == expected.size());
}

// What a larger batch left behind must not reach a smaller one.
TEST(Passes, ForgetTheBatchBefore) {
    const auto digits = some_digits(9, 2);
    Both both(digits, 9, 5);
    both.run({0, 1, 2, 3, 4, 5, 6, 7, 8});
    both.run({8, 1});
    const auto expected = both.reference({8, 1});
    EXPECT_EQ(first_difference(expected, both.arrays().sums), expected.size());
}

TEST(Passes, DescendAsTheOptimiserOnACpu) {
    const auto digits = some_digits(6, 3);
    Both both(digits, 6, 6);
    Optimiser optimiser(Network::parameter_count, 0.1);
    HostQueue queue;
    for (int step = 0; step < 3; ++step) {
        both.run({0, 1, 2, 3, 4, 5});
        descend(queue, both.arrays(), 6, 0.1);
        auto gradient = both.reference({0, 1, 2, 3, 4, 5});
        gradient.resize(Network::parameter_count);
        for (double& value : gradient) {
            value /= 6;
        }
        optimiser.step(both.network().parameters(), gradient);
    }
    const auto parameters = both.network().parameters();
    const std::vector<double> expected(parameters.begin(), parameters.end());
    EXPECT_EQ(first_difference(expected, both.arrays().parameters), expected.size());
    const auto velocity = optimiser.velocity();
    EXPECT_EQ(first_difference({velocity.begin(), velocity.end()}, both.arrays().velocity),
              velocity.size());
}

TEST(Passes, RecogniseWhatTheNetworkOnACpuRecognises) {
    const auto digits = some_digits(200, 4);
    Both both(digits, digits.size(), 7);
    std::vector<std::size_t> all(digits.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto right = std::ranges::count_if(
        digits, [&](const Digit& digit) { return both.network().classify(digit) == digit.label; });
    ASSERT_GT(right, 0);
    std::ranges::copy(all, both.arrays().samples);
    HostQueue queue;
    forward(queue, both.arrays(), all.size());
    recognise(queue, both.arrays(), all.size());
    EXPECT_EQ(both.arrays().right[0], static_cast<double>(right));
}

}  // namespace
}  // namespace hora::trainer
