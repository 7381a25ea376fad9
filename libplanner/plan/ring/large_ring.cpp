// Which order is good for a ring of more GPUs than can be searched through?
//
// The fastest links join groups of GPUs into one list, as Kruskal's tree grows. Where the links
// form a tree, two groups have one bandwidth between all their GPUs when they join, so each join
// costs the ring two links of that bandwidth, which no ring can avoid.
#include "libplanner/plan/ring/large_ring.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;

// Enough for 256 GPUs in practice, and a bound on what a contrived table can cost.
constexpr int most_rounds = 64;

struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

std::vector<Pair> fastest_first(const LinkTable& links) {
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < links.count(); ++a) {
        for (std::uint32_t b = a + 1; b < links.count(); ++b) {
            pairs.push_back({a, b});
        }
    }
    std::stable_sort(pairs.begin(), pairs.end(), [&](const Pair& x, const Pair& y) {
        return links.bandwidth(x.a, x.b) > links.bandwidth(y.a, y.b);
    });
    return pairs;
}

Order joined(const LinkTable& links) {
    std::vector<std::size_t> group_of(links.count());
    std::iota(group_of.begin(), group_of.end(), std::size_t{0});
    std::vector<Order> groups;
    for (std::uint32_t gpu = 0; gpu < links.count(); ++gpu) {
        groups.push_back({gpu});
    }
    for (const Pair& pair : fastest_first(links)) {
        const auto [into, from] = std::minmax({group_of[pair.a], group_of[pair.b]});
        if (into == from) {
            continue;
        }
        for (const std::uint32_t gpu : groups[from]) {
            group_of[gpu] = into;
        }
        groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
        groups[from].clear();
    }
    return groups[0];
}

// Exchanges two links of an order for the two that turn the GPUs between them around.
class Exchange {
  public:
    Exchange(const LinkTable& links, bool is_closed) : links_(links), is_closed_(is_closed) {}

    // Each exchange makes the sorted bandwidths of all links greater, so it comes to an end.
    void improve(Order& order) const {
        bool is_better = order.size() > 2;
        for (int round = 0; is_better && round < most_rounds; ++round) {
            is_better = false;
            for (std::size_t i = 0; i + 1 < order.size(); ++i) {
                for (std::size_t j = i + 1; j < order.size(); ++j) {
                    is_better = turn(order, i, j) || is_better;
                }
            }
        }
    }

  private:
    using Speeds = std::pair<Bandwidth, Bandwidth>;  // the slower one first

    // Of the links before `i` and behind `j`, with GPUs a and b at the ends between them.
    Speeds speeds(const Order& order, std::size_t i, std::size_t j, std::uint32_t a,
                  std::uint32_t b) const {
        constexpr Bandwidth none{1e300};  // an open end is no link
        const std::size_t count = order.size();
        const bool has_before = is_closed_ || i > 0;
        const bool has_behind = is_closed_ || j + 1 < count;
        const Bandwidth before =
            has_before ? links_.bandwidth(order[(i + count - 1) % count], a) : none;
        const Bandwidth behind = has_behind ? links_.bandwidth(b, order[(j + 1) % count]) : none;
        return std::minmax(before, behind);
    }

    bool turn(Order& order, std::size_t i, std::size_t j) const {
        if (j + 1 - i >= order.size() - (is_closed_ ? 1 : 0)) {
            return false;  // the same ring, the other way round
        }
        if (speeds(order, i, j, order[j], order[i]) <= speeds(order, i, j, order[i], order[j])) {
            return false;
        }
        std::reverse(order.begin() + static_cast<std::ptrdiff_t>(i),
                     order.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        return true;
    }

    const LinkTable& links_;
    bool is_closed_;
};

}  // namespace

std::vector<std::uint32_t> large_cycle(const LinkTable& links) {
    Order order = joined(links);
    Exchange(links, true).improve(order);
    std::rotate(order.begin(), std::find(order.begin(), order.end(), 0u), order.end());
    if (order.size() > 2 && order[1] > order.back()) {
        std::reverse(order.begin() + 1, order.end());
    }
    return order;
}

std::vector<std::uint32_t> large_path(const LinkTable& links) {
    Order order = joined(links);
    Exchange(links, false).improve(order);
    if (order.front() > order.back()) {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

}  // namespace hora::plan
