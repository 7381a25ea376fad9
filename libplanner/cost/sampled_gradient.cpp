// How many bytes of the gradients travel where only the rows of words that matter do?
#include "libplanner/cost/sampled_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "libplanner/domain/row_shares.hpp"

namespace hora::cost {
namespace {

using domain::LayerCost;

// H_n, to 2e-7.
double harmonic(double n) {
    constexpr double euler = 0.57721566490153286;
    double sum = 0;
    for (; n > 0 && n < 16; --n) {
        sum += 1 / n;
    }
    return n > 0 ? std::log(n) + euler + 1 / (2 * n) - 1 / (12 * n * n) : sum;
}

// Distinct words after the first `skipped` among so many words of a text. Ranks are taken one by
// one, and farther ones in blocks that grow with them, each as its middle.
double distinct_words(double rows, double skipped, double words) {
    constexpr double block = 1.0 / 32;
    const double norm = harmonic(rows);
    double sum = 0;
    for (double first = skipped + 1; first <= rows;) {
        const double count = std::min(std::max(1.0, std::floor(first * block)), rows + 1 - first);
        const double middle = first + (count - 1) / 2;
        sum += count * -std::expm1(-words / (middle * norm));
        first += count;
    }
    return sum;
}

std::uint64_t rows_of(const LayerCost& table) {
    return table.weight_bytes / table.row_bytes;
}

}  // namespace

Bytes SentGradient::total() const {
    return std::accumulate(layers.begin(), layers.end(), Bytes(0));
}

bool can_sample(const domain::Workload& workload) {
    return std::ranges::any_of(workload.layers, &LayerCost::has_rows);
}

double expected_rows(std::uint64_t rows, double words, double rate) {
    const auto bounded = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(rows, std::numeric_limits<std::uint32_t>::max()));
    const domain::RowShares shares = domain::shares_for(bounded, rate);
    const double frequent = shares.frequent;
    const double others = bounded - frequent;
    if (!(others > 0)) {
        return frequent;
    }
    const double of_words = distinct_words(bounded, frequent, words);
    return frequent + shares.random + of_words * (1 - shares.random / others);
}

SentGradient sent_gradient(const domain::Workload& workload, std::uint64_t batch, double rate) {
    SentGradient sent;
    sent.layers.reserve(workload.layers.size());
    for (const LayerCost& layer : workload.layers) {
        const auto all = static_cast<double>(layer.weight_bytes);
        if (!layer.has_rows() || rate >= 1) {
            sent.layers.emplace_back(all);
            continue;
        }
        const double words = static_cast<double>(batch) * static_cast<double>(layer.words);
        const double rows = expected_rows(rows_of(layer), words, layer.mac > 0 ? rate : 0);
        sent.layers.emplace_back(std::min(all, rows * static_cast<double>(layer.row_bytes)));
        sent.words = std::max(sent.words, Bytes(static_cast<double>(rows_of(layer)) / 8));
    }
    return sent;
}

}  // namespace hora::cost
