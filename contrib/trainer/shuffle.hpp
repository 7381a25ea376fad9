// In which order: the same seed gives the same order on every machine and number of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace hora::trainer {

// std::shuffle may differ between standard libraries; mt19937_64 may not. The bias of the remainder
// is below 2^-50 for the few thousand images it is used on.
template <class T>
void shuffle(std::vector<T>& values, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t left = values.size(); left > 1; --left) {
        std::swap(values[left - 1], values[static_cast<std::size_t>(random() % left)]);
    }
}

// The order in which one epoch visits `count` samples.
inline std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed,
                                            std::uint64_t epoch) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order, seed * 0x9e3779b97f4a7c15U + epoch + 1);
    return order;
}

}  // namespace hora::trainer
