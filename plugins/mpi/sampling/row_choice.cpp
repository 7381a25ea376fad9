// Which rows of a large table of gradients do all ranks exchange in a step?
#include "plugins/mpi/sampling/row_choice.hpp"

#include <bit>

#include "libplanner/base/mixed.hpp"

namespace hora::mpi {
namespace {

// A permutation of 0 … count − 1 that needs no memory: a Feistel network on twice half_bits bits,
// applied again where it leaves the range. Its range is below 4 · count, so that it is applied
// four times at most in the mean.
std::uint64_t permuted(std::uint64_t value, std::uint64_t count, std::uint64_t key) {
    constexpr std::uint64_t rounds = 4;
    const auto half_bits = static_cast<unsigned>((std::bit_width(count - 1) + 1) / 2);
    const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
    do {
        std::uint64_t left = value >> half_bits;
        std::uint64_t right = value & mask;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::uint64_t next = left ^ (mixed(key + rounds * right + round) & mask);
            left = right;
            right = next;
        }
        value = left << half_bits | right;
    } while (value >= count);
    return value;
}

}  // namespace

std::vector<std::uint32_t> WordSet::words() const {
    std::vector<std::uint32_t> words;
    std::uint32_t first = 0;
    for (std::uint64_t block : blocks_) {
        for (; block != 0; block &= block - 1) {
            words.push_back(first + static_cast<std::uint32_t>(std::countr_zero(block)));
        }
        first += 64;
    }
    return words;
}

RowChoice::RowChoice(std::uint32_t rows, domain::RowShares shares, std::uint64_t seed)
    : rows_(rows), shares_(shares), seed_(seed) {}

// The rows that are not frequent, in the order of their turns.
std::uint32_t RowChoice::drawn(std::uint64_t turn) const {
    const std::uint64_t others = rows_ - shares_.frequent;
    const std::uint64_t key = mixed(seed_ ^ mixed(turn / others + 1));
    return shares_.frequent + static_cast<std::uint32_t>(permuted(turn % others, others, key));
}

std::vector<std::uint32_t> RowChoice::choose(std::uint64_t step, WordSet words) const {
    for (std::uint32_t row = 0; row < shares_.frequent; ++row) {
        words.add(row);
    }
    for (std::uint64_t i = 0; i < shares_.random; ++i) {
        words.add(drawn(step * shares_.random + i));
    }
    return words.words();
}

}  // namespace hora::mpi
