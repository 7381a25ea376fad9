// Which nodes of a part are worth counting by themselves, as sets on them exchange faster?
#include "libplanner/plan/price/some_nodes.hpp"

#include <algorithm>
#include <functional>

#include "libplanner/plan/price/set_link.hpp"

namespace hora::plan {

namespace {

// Of each kind as many.
bool holds(const Shape& large, const Shape& small) {
    return std::all_of(small.begin(), small.end(), [&](const Kind& wanted) {
        return std::any_of(large.begin(), large.end(), [&](const Kind& kind) {
            return kind.device == wanted.device && kind.count >= wanted.count;
        });
    });
}

// Each once, in order, and the first one among them.
template <class T, class Before>
std::vector<T> thinned(std::vector<T> values, Before before) {
    std::sort(values.begin(), values.end(), before);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const std::size_t step = (values.size() + most_node_links - 1) / most_node_links;
    std::vector<T> left;
    for (std::size_t i = 0; i < values.size(); i += step) {
        left.push_back(values[i]);
    }
    return left;
}

}  // namespace

domain::Link slowest_inside(std::span<const NodeOffer> offers) {
    domain::Link slowest = offers.front().inside;
    for (const NodeOffer& offer : offers) {
        slowest = slower_of(slowest, offer.inside);
    }
    return slowest;
}

std::vector<std::vector<NodeOffer>> levels_of(std::span<const NodeOffer> offers) {
    std::vector<Bandwidth> bandwidths;
    std::vector<Seconds> latencies;
    for (const NodeOffer& offer : offers) {
        bandwidths.push_back(offer.inside.bandwidth);
        latencies.push_back(offer.inside.latency);
    }
    std::vector<std::vector<NodeOffer>> levels;
    std::vector<domain::Link> known;
    for (const Bandwidth bandwidth : thinned(std::move(bandwidths), std::less<>())) {
        for (const Seconds latency : thinned(latencies, std::greater<>())) {
            std::vector<NodeOffer> level;
            std::copy_if(offers.begin(), offers.end(), std::back_inserter(level),
                         [&](const NodeOffer& offer) {
                             return is_as_fast(offer.inside, {bandwidth, latency});
                         });
            if (level.size() < 2) {
                continue;
            }
            const domain::Link slowest = slowest_inside(level);
            if (std::find(known.begin(), known.end(), slowest) == known.end()) {
                known.push_back(slowest);
                levels.push_back(std::move(level));
            }
        }
    }
    return levels;
}

bool is_beaten(const NodeOffer& one, std::span<const NodeOffer> others,
               std::span<const Shape> shapes) {
    const auto is_better = [&](const NodeOffer& other) {
        return other.portion == one.portion || holds(shapes[other.portion], shapes[one.portion]);
    };
    const auto first = std::ranges::find_if(others, is_better);
    return first != others.end() && std::any_of(first + 1, others.end(), is_better);
}

std::vector<std::vector<NodeOffer>> pairs_of(std::span<const NodeOffer> offers,
                                             std::span<const Shape> shapes) {
    std::vector<NodeOffer> best;
    for (const NodeOffer& offer : offers) {
        if (!is_beaten(offer, best, shapes)) {
            best.push_back(offer);
        }
    }
    // What came first of equal overheads may be beaten by what came later.
    for (std::size_t i = best.size(); i-- > 0;) {
        std::vector<NodeOffer> others;
        std::copy_if(best.begin(), best.end(), std::back_inserter(others),
                     [&](const NodeOffer& other) {
                         return other.node != best[i].node && other.overhead <= best[i].overhead;
                     });
        if (is_beaten(best[i], others, shapes)) {
            best.erase(best.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    best.resize(std::min(best.size(), most_paired_nodes));
    std::vector<std::vector<NodeOffer>> pairs;
    for (std::size_t second = 1; second < best.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
            pairs.push_back({best[first], best[second]});
        }
    }
    return pairs;
}

}  // namespace hora::plan
