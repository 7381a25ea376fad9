// Which sums of weights can the groups have at all?
#include "libplanner/elastic/policies/reachable_sums.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace hora::elastic {
namespace {

constexpr std::size_t word_bits = 64;

// Bit k: the sum k can be reached.
class Sums {
  public:
    explicit Sums(std::size_t bits) : words_(bits / word_bits + 1, 0) {}

    void add(std::size_t sum) { words_[sum / word_bits] |= std::uint64_t{1} << (sum % word_bits); }

    // Joins those of `other`, each made larger by `shift`; what passes the end is lost.
    void join(const Sums& other, std::size_t shift) {
        const std::size_t whole = shift / word_bits;
        const std::size_t rest = shift % word_bits;
        for (std::size_t i = words_.size(); i-- > whole;) {
            std::uint64_t word = other.words_[i - whole] << rest;
            if (rest > 0 && i > whole) {
                word |= other.words_[i - whole - 1] >> (word_bits - rest);
            }
            words_[i] |= word;
        }
    }

    // The first one from `least` on.
    std::optional<std::size_t> next(std::size_t least) const {
        std::uint64_t mask = ~std::uint64_t{0} << (least % word_bits);
        for (std::size_t i = least / word_bits; i < words_.size(); ++i) {
            if ((words_[i] & mask) != 0) {
                return i * word_bits + static_cast<std::size_t>(std::countr_zero(words_[i] & mask));
            }
            mask = ~std::uint64_t{0};
        }
        return std::nullopt;
    }

  private:
    std::vector<std::uint64_t> words_;
};

// The equal steps between the weights from `first` on, and how many items keep to them.
std::size_t run_length(const Group& group, std::size_t first) {
    std::size_t end = std::min(first + 2, group.size());
    while (end < group.size() && group[end].weight - group[end - 1].weight ==
                                     group[first + 1].weight - group[first].weight) {
        ++end;
    }
    return end - first;
}

// sums + {0, step, 2 step, …, (count - 1) step}, in log(count) joins.
Sums spread(const Sums& sums, std::size_t step, std::size_t count) {
    Sums result = sums;
    for (std::size_t done = 1; done < count;) {
        const std::size_t more = std::min(done, count - done);
        const Sums before = result;
        result.join(before, more * step);
        done += more;
    }
    return result;
}

}  // namespace

std::optional<std::uint32_t> smallest_sum(std::span<const Group> groups, std::uint32_t least) {
    // Group by group, the first sum that is large enough exceeds it by less than one weight.
    std::size_t heaviest = 0;
    for (const Group& group : groups) {
        heaviest = std::max<std::size_t>(heaviest, group.empty() ? 0 : group.back().weight);
    }
    Sums sums(std::size_t{least} + heaviest);
    sums.add(0);
    for (const Group& group : groups) {
        const Sums before = sums;
        for (std::size_t first = 0; first < group.size();) {
            const std::size_t count = run_length(group, first);
            const std::size_t step = count > 1 ? group[first + 1].weight - group[first].weight : 1;
            sums.join(spread(before, step, count), group[first].weight);
            first += count;
        }
    }
    const std::optional<std::size_t> found = sums.next(least);
    if (!found) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(*found);
}

}  // namespace hora::elastic
