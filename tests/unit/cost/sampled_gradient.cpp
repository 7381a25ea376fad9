// Does a step send the rows that are expected of it?
#include "libplanner/cost/sampled_gradient.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "libplanner/domain/row_shares.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::cost {
namespace {

using testing::any_number;

TEST(RowShares, AreFrequentAndRandomByHalvesOrAsTold) {
    const struct {
        std::uint32_t rows;
        double rate;
        domain::RowShares shares{};
        double frequent = 0.5;
    } cases[] = {
        {49'036, 0.1, {.frequent = 2'452, .random = 2'452}},
        {1'000, 1e-9, {.frequent = 0, .random = 1}},
        {1'000, 0, {.frequent = 0, .random = 0}},
        {1'000, 0.001, {.frequent = 0, .random = 1}},  // each row has its turn at last
        {1'001, 1, {.frequent = 500, .random = 501}},
        {1'000, 0.1, {.frequent = 0, .random = 100}, 0},
        {1'000, 0.1, {.frequent = 100, .random = 0}, 1},
        {1'001, 1, {.frequent = 750, .random = 251}, 0.75},
    };
    for (const auto& test : cases) {
        EXPECT_EQ(domain::shares_for(test.rows, test.rate, test.frequent), test.shares)
            << test.rows << ' ' << test.rate << ' ' << test.frequent;
    }
}

// Of every row the probability that it travels, one by one.
double sum_over_rows(std::uint32_t rows, double words, double rate) {
    double norm = 0;
    for (std::uint32_t row = 1; row <= rows; ++row) {
        norm += 1.0 / row;
    }
    const domain::RowShares shares = domain::shares_for(rows, rate);
    const double drawn =
        shares.random == 0 ? 0 : static_cast<double>(shares.random) / (rows - shares.frequent);
    double sum = 0;
    for (std::uint32_t row = 1; row <= rows; ++row) {
        const double occurs = -std::expm1(-words / (row * norm));
        sum += row <= shares.frequent ? 1 : 1 - (1 - occurs) * (1 - drawn);
    }
    return sum;
}

RC_GTEST_PROP(SampledGradient, AreTheRowsThatTravelWithTheirProbability, ()) {
    const auto rows = any_number(1U, 20'000U);
    const double words = any_number(1U, 100'000U);
    const double rate = any_number(0U, 101U) / 100.0;
    const double exact = sum_over_rows(rows, words, rate);
    RC_ASSERT(std::abs(expected_rows(rows, words, rate) - exact) <= 1e-3 * exact);
}

TEST(SampledGradient, OfWordsThatNeverOccurIsTheRateAlone) {
    EXPECT_DOUBLE_EQ(expected_rows(1000, 0, 0.1), 100);
    EXPECT_DOUBLE_EQ(expected_rows(1000, 1e12, 0.1), 1000);
    EXPECT_DOUBLE_EQ(expected_rows(1000, 5, 1), 1000);
    EXPECT_DOUBLE_EQ(expected_rows(1, 5, 0.1), 1);
}

// Two tables of 1000 rows of 40 bytes around a layer of another kind.
domain::Workload language_model() {
    return {.data_type = {},
            .layers = {{.weight_bytes = 40'000, .row_bytes = 40, .words = 20},
                       {.mac = 9, .weight_bytes = 700},
                       {.mac = 8, .weight_bytes = 40'000, .row_bytes = 40, .words = 20}}};
}

TEST(SampledGradient, LeavesLayersWithoutRowsWhole) {
    const SentGradient sent = sent_gradient(language_model(), 4, 0.1);
    const double looked_up = 40 * expected_rows(1000, 80, 0);
    const double predicted = 40 * expected_rows(1000, 80, 0.1);
    EXPECT_EQ(sent.layers, (std::vector<Bytes>{Bytes(looked_up), Bytes(700), Bytes(predicted)}));
    EXPECT_DOUBLE_EQ(sent.total().count(), looked_up + predicted + 700);
    EXPECT_EQ(sent.words, Bytes(125));
    EXPECT_LT(looked_up, predicted);
    EXPECT_LT(predicted, 10'000);
}

TEST(SampledGradient, IsWholeAtRateOneAndSaysNoWords) {
    const SentGradient sent = sent_gradient(language_model(), 4, 1);
    EXPECT_EQ(sent.layers, (std::vector<Bytes>{Bytes(40'000), Bytes(700), Bytes(40'000)}));
    EXPECT_EQ(sent.words, Bytes(0));
}

TEST(SampledGradient, IsOnlyOfNetworksWithATable) {
    EXPECT_TRUE(can_sample(language_model()));
    const domain::Workload images{.data_type = {}, .layers = {{.mac = 9, .weight_bytes = 700}}};
    EXPECT_FALSE(can_sample(images));
    EXPECT_EQ(sent_gradient(images, 4, 0.1).layers, std::vector<Bytes>{Bytes(700)});
    EXPECT_EQ(sent_gradient(images, 4, 0.1).words, Bytes(0));
}

// The text may say so: a row count that no integer of 32 bits holds is not multiplied out.
TEST(SampledGradient, OfManyRowsIsFinite) {
    const domain::Workload huge{.data_type = {},
                                .layers = {{.weight_bytes = domain::max_workload_number,
                                            .row_bytes = 1,
                                            .words = domain::max_workload_number}}};
    const double bytes = sent_gradient(huge, 1'000'000, 0.01).total().count();
    EXPECT_TRUE(std::isfinite(bytes));
    EXPECT_LE(bytes, static_cast<double>(domain::max_workload_number));
}

}  // namespace
}  // namespace hora::cost
