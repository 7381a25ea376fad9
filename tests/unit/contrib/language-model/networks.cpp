// Do both networks compute what their definitions say, and learn by its gradient?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "contrib/language-model/feed_forward.hpp"
#include "contrib/language-model/recurrent.hpp"

namespace hora::trainer {
namespace {

using Arrays = WordNetwork::Arrays;
using Words = std::vector<std::uint32_t>;

constexpr std::array arrays = {&Arrays::input, &Arrays::inner, &Arrays::output};
constexpr WordNetwork::Sizes small{.vocabulary = 7, .width = 4};

struct Kind {
    const char* name;
    std::unique_ptr<WordNetwork> (*make)(WordNetwork::Sizes sizes, std::uint64_t seed);
    std::size_t window;
    std::size_t predicted;
    std::size_t inner_size;  // of `small`
    double (*defined_loss)(const Arrays& parameters, std::span<const std::uint32_t> sample);
};

void PrintTo(const Kind& kind, std::ostream* output) {
    *output << kind.name;
}

// What the definitions say of one sample, in double and one by one. A row is weights and a bias.
double affine(std::span<const float> row, std::span<const double> inputs) {
    double sum = row[inputs.size()];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        sum += row[i] * inputs[i];
    }
    return sum;
}

std::span<const float> row_of(const std::vector<float>& table, std::size_t row,
                              std::size_t columns) {
    return std::span(table).subspan(row * columns, columns);
}

std::vector<double> hidden_of(const Arrays& parameters, std::span<const double> inputs) {
    std::vector<double> hidden(small.width);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] = std::tanh(affine(row_of(parameters.inner, i, inputs.size() + 1), inputs));
    }
    return hidden;
}

double cross_entropy(const Arrays& parameters, std::span<const double> hidden, std::size_t word) {
    double sum = 0;
    for (std::size_t i = 0; i < small.vocabulary; ++i) {
        sum += std::exp(affine(row_of(parameters.output, i, small.width + 1), hidden));
    }
    return std::log(sum) - affine(row_of(parameters.output, word, small.width + 1), hidden);
}

double feed_forward_loss(const Arrays& parameters, std::span<const std::uint32_t> sample) {
    std::vector<double> inputs;
    for (const std::uint32_t word : sample.first(4)) {
        std::ranges::copy(row_of(parameters.input, word, small.width), std::back_inserter(inputs));
    }
    return cross_entropy(parameters, hidden_of(parameters, inputs), sample[4]);
}

double recurrent_loss(const Arrays& parameters, std::span<const std::uint32_t> sample) {
    std::vector<double> hidden(small.width);
    double sum = 0;
    for (std::size_t t = 0; t + 1 < sample.size(); ++t) {
        const auto input = row_of(parameters.input, sample[t], small.width);
        std::vector<double> inputs(input.begin(), input.end());
        inputs.insert(inputs.end(), hidden.begin(), hidden.end());
        hidden = hidden_of(parameters, inputs);
        sum += cross_entropy(parameters, hidden, sample[t + 1]);
    }
    return sum;
}

const Kind kinds[] = {
    {"FeedForward", make_feed_forward, 5, 1, 4 * (4 * 4 + 1), feed_forward_loss},
    {"Recurrent",
     [](WordNetwork::Sizes sizes, std::uint64_t seed) { return make_recurrent(sizes, 6, seed); }, 7,
     6, 4 * (2 * 4 + 1), recurrent_loss},
};

class Networks : public testing::TestWithParam<Kind> {
  protected:
    const Kind& kind_ = GetParam();

    // Windows of words below `vocabulary`; some occur several times in one.
    Words some_words(std::size_t windows, std::uint32_t vocabulary) const {
        std::mt19937_64 random(11);
        Words words(windows * kind_.window);
        std::ranges::generate(words,
                              [&] { return static_cast<std::uint32_t>(random() % vocabulary); });
        return words;
    }

    // Like one that has learned already: no weight is so small that its part would not show.
    std::unique_ptr<WordNetwork> made(std::uint64_t seed = 3) const {
        auto network = kind_.make(small, seed);
        std::mt19937_64 random(seed);
        for (const auto array : arrays) {
            for (float& value : network->parameters().*array) {
                value += static_cast<float>(random() % 1000) / 1000 - 0.5F;
            }
        }
        return network;
    }
};

INSTANTIATE_TEST_SUITE_P(Each, Networks, testing::ValuesIn(kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

void expect_near(const Arrays& one, const Arrays& other, double tolerance) {
    for (const auto array : arrays) {
        ASSERT_EQ((one.*array).size(), (other.*array).size());
        for (std::size_t i = 0; i < (one.*array).size(); ++i) {
            EXPECT_NEAR((one.*array)[i], (other.*array)[i], tolerance) << "parameter " << i;
        }
    }
}

void add(Arrays& sum, float factor, const Arrays& other) {
    for (const auto array : arrays) {
        for (std::size_t i = 0; i < (sum.*array).size(); ++i) {
            (sum.*array)[i] += factor * (other.*array)[i];
        }
    }
}

TEST_P(Networks, HaveTheSizesThatTheySay) {
    const auto network = kind_.make(small, 1);
    EXPECT_EQ(network->window(), kind_.window);
    EXPECT_EQ(network->predicted(), kind_.predicted);
    EXPECT_EQ(network->inner_size(), kind_.inner_size);
    EXPECT_EQ(network->sizes().vocabulary, small.vocabulary);
    EXPECT_EQ(network->sizes().width, small.width);
    for (const Arrays& shape : {network->parameters(), network->zeros()}) {
        EXPECT_EQ(shape.input.size(), 7U * 4);
        EXPECT_EQ(shape.inner.size(), kind_.inner_size);
        EXPECT_EQ(shape.output.size(), 7U * 5);
    }
    EXPECT_TRUE(
        std::ranges::all_of(network->zeros().input, [](float value) { return value == 0; }));
}

TEST_P(Networks, TheSameSeedDrawsTheSameParameters) {
    const auto one = kind_.make(small, 5);
    const auto same = kind_.make(small, 5);
    const auto other = kind_.make(small, 6);
    for (const auto array : arrays) {
        EXPECT_EQ(one->parameters().*array, same->parameters().*array);
        EXPECT_NE(one->parameters().*array, other->parameters().*array);
    }
}

TEST_P(Networks, TheLossIsThatOfTheDefinition) {
    const auto network = made();
    const Words words = some_words(3, small.vocabulary);
    double sum = 0;
    for (std::size_t i = 0; i < words.size(); i += kind_.window) {
        sum += kind_.defined_loss(network->parameters(), std::span(words).subspan(i, kind_.window));
    }
    EXPECT_NEAR(network->loss(words), sum, 2e-6);
}

TEST_P(Networks, LearningReturnsTheLossAndChangesNoParameter) {
    const auto network = made();
    const Arrays before = network->parameters();
    const Words words = some_words(5, small.vocabulary);
    Arrays gradient = network->zeros();
    const double loss = network->learn(words, 0.25F, gradient);
    EXPECT_EQ(loss, network->loss(words));
    expect_near(network->parameters(), before, 0);
}

// Two widths of the difference, so that what is of its square cancels.
TEST_P(Networks, TheGradientIsTheSlopeOfTheLoss) {
    const auto network = made();
    const Words words = some_words(4, small.vocabulary);
    Arrays gradient = network->zeros();
    network->learn(words, 1, gradient);
    for (const auto array : arrays) {
        std::vector<float>& values = network->parameters().*array;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float value = values[i];
            const auto slope = [&](float shift) {
                values[i] = value + shift;
                const float up = values[i];
                const double above = network->loss(words);
                values[i] = value - shift;
                const double below = network->loss(words);
                return (above - below) / (static_cast<double>(up) - values[i]);
            };
            const double expected = (4 * slope(0x1p-5F) - slope(0x1p-4F)) / 3;
            values[i] = value;
            EXPECT_NEAR((gradient.*array)[i], expected, 3e-5) << "parameter " << i;
        }
    }
}

TEST_P(Networks, LearningAddsWeightTimesTheGradient) {
    const auto network = made();
    const Words words = some_words(5, small.vocabulary);
    Arrays gradient = network->zeros();
    network->learn(words, 1, gradient);
    Arrays expected = network->zeros();
    for (const auto array : arrays) {
        std::ranges::fill(expected.*array, 3.0F);
    }
    Arrays sum = expected;
    add(expected, 0.25F, gradient);
    network->learn(words, 0.25F, sum);
    expect_near(sum, expected, 2e-6);
    // A rank may have no share of a batch.
    EXPECT_EQ(network->learn({}, 1, sum), 0);
    expect_near(sum, expected, 2e-6);
}

// As ranks do; and more words than pass through the output layer together.
TEST_P(Networks, ABatchHasTheGradientOfItsPartsTogether) {
    const auto network = made();
    const std::size_t windows = 200 / kind_.predicted;
    const Words words = some_words(windows, small.vocabulary);
    Arrays whole = network->zeros();
    const double loss = network->learn(words, 0.1F, whole);
    for (const std::size_t part : {windows - windows / 3, std::size_t{1}}) {
        Arrays sum = network->zeros();
        double losses = 0;
        for (std::size_t first = 0; first < windows; first += part) {
            const std::size_t count = std::min(part, windows - first);
            losses += network->learn(
                std::span(words).subspan(first * kind_.window, count * kind_.window), 0.1F, sum);
        }
        EXPECT_NEAR(losses, loss, 2e-5);
        expect_near(sum, whole, 2e-6);
    }
}

TEST_P(Networks, OnlyWordsThatOccurHaveAnInputGradient) {
    const auto network = made();
    Arrays gradient = network->zeros();
    network->learn(some_words(5, 4), 1, gradient);
    for (std::size_t i = 0; i < gradient.input.size(); ++i) {
        EXPECT_EQ(gradient.input[i] != 0, i / small.width < 4) << "parameter " << i;
    }
}

TEST_P(Networks, AtFirstAllWordsAreAboutAsLikely) {
    const auto network = kind_.make({.vocabulary = 3000, .width = 20}, 1);
    const Words words = some_words(50, 3000);
    const double loss = network->loss(words) / static_cast<double>(50 * kind_.predicted);
    EXPECT_NEAR(std::exp(loss) / 3000, 1, 0.005);
}

// After 0, and after 1, there are two words: one word alone does not tell which comes, and a
// network that looks at no more comes to 1.49 at best.
TEST_P(Networks, LearnAPeriodicText) {
    constexpr std::array<std::uint32_t, 7> period = {0, 1, 2, 0, 3, 1, 4};
    const auto network = kind_.make({.vocabulary = 5, .width = 8}, 1);
    Words words;
    for (std::size_t first = 0; first < period.size(); ++first) {
        for (std::size_t i = 0; i < kind_.window; ++i) {
            words.push_back(period[(first + i) % period.size()]);
        }
    }
    const auto predictions = static_cast<float>(period.size() * kind_.predicted);
    for (int step = 0; step < 500; ++step) {
        Arrays gradient = network->zeros();
        network->learn(words, 1 / predictions, gradient);
        add(network->parameters(), -0.5F, gradient);
    }
    EXPECT_LT(std::exp(network->loss(words) / static_cast<double>(predictions)), 1.1);
}

}  // namespace
}  // namespace hora::trainer
