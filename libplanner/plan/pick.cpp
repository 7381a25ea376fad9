// Out of eligible GPUs, which n lie on fewest nodes, evenly, closest together, and first?
//
// The same number on each node: the slowest link can be as fast as that of the n-th best node; of
// the nodes that reach it, those are taken that break least, as what they break adds up.
// Another number on each: over links of a given speed a node has only so many GPUs to offer. The
// fastest speed is taken at which the fewest nodes still have enough together.
#include "libplanner/plan/pick.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace hora::plan {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A node with enough GPUs.
struct Candidate {
    OnNode gpus;
    const NodeFit* fit = nullptr;  // null: the first GPUs are as good as others
    std::size_t offer = 0;         // GPUs that it has to offer

    double fastest_link(std::size_t count) const {
        return fit == nullptr ? infinite : fit->fastest_link(count);
    }
};

std::vector<Candidate> candidates_of(const domain::Cluster& cluster, NodeFits* fits,
                                     Closeness closeness, std::span<const std::uint32_t> eligible,
                                     std::size_t least) {
    std::vector<Candidate> candidates;
    for (const OnNode& node : by_node(cluster, eligible)) {
        if (node.size() >= least) {
            candidates.push_back(
                {node, fits == nullptr ? nullptr : fits->find(closeness, node), node.size()});
        }
    }
    return candidates;
}

// How many nodes have how many GPUs to offer.
class Offers {
  public:
    explicit Offers(const std::vector<Candidate>& candidates) {
        for (const Candidate& one : candidates) {
            if (nodes_.size() <= one.offer) {
                nodes_.resize(one.offer + 1);
            }
            ++nodes_[one.offer];
        }
    }
    void remove(const Candidate& one) { --nodes_[one.offer]; }

    // GPUs on the `count` fullest nodes.
    std::uint64_t fullest(std::uint64_t count) const {
        std::uint64_t gpus = 0;
        for (std::size_t size = nodes_.size(); size-- > 1 && count > 0;) {
            const std::uint64_t taken = std::min(count, nodes_[size]);
            gpus += taken * size;
            count -= taken;
        }
        return gpus;
    }
    std::uint64_t fewest_for(std::uint64_t wanted) const {
        std::uint64_t used = 0;
        for (std::size_t size = nodes_.size(); size-- > 1 && wanted > 0;) {
            const std::uint64_t needed = std::min(nodes_[size], (wanted + size - 1) / size);
            used += needed;
            wanted -= std::min(wanted, needed * size);
        }
        return used;
    }
    std::uint64_t at_least(std::uint64_t each) const {
        std::uint64_t nodes = 0;
        for (std::size_t size = each; size < nodes_.size(); ++size) {
            nodes += nodes_[size];
        }
        return nodes;
    }

  private:
    std::vector<std::uint64_t> nodes_;  // by number of GPUs
};

// Appends the best `count` GPUs of a node over links of at least this speed.
void take(Pick& pick, NodeFits* fits, const Candidate& from, std::size_t count, double link) {
    ++pick.nodes;
    if (from.fit == nullptr) {
        pick.gpus.insert(pick.gpus.end(), from.gpus.begin(),
                         from.gpus.begin() + static_cast<std::ptrdiff_t>(count));
        return;
    }
    const NodeChoice& choice = from.fit->best(count, link);
    const std::uint32_t first = fits->first_of_node(from.gpus.front());
    for (const std::uint32_t gpu : from.gpus) {
        if (choice.picks.has(gpu - first)) {
            pick.gpus.push_back(gpu);
        }
    }
    pick.slowest_link = std::min(pick.slowest_link, choice.link);
    pick.broken += choice.broken;
}

Pick take_evenly(NodeFits* fits, std::vector<Candidate> candidates, std::uint64_t nodes,
                 std::uint64_t each) {
    Pick pick;
    if (fits == nullptr) {
        for (std::size_t i = 0; i < nodes; ++i) {
            take(pick, fits, candidates[i], each, 0);
        }
        return pick;
    }
    std::vector<double> links;
    for (const Candidate& one : candidates) {
        links.push_back(one.fastest_link(each));
    }
    const auto last = links.begin() + static_cast<std::ptrdiff_t>(nodes) - 1;
    std::nth_element(links.begin(), last, links.end(), std::greater<>());
    const double link = *last;
    std::erase_if(candidates, [&](const Candidate& one) { return one.fastest_link(each) < link; });
    std::vector<std::pair<Broken, std::size_t>> least;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const NodeFit* const fit = candidates[i].fit;
        least.emplace_back(fit == nullptr ? Broken{} : fit->best(each, link).broken, i);
    }
    const auto end = least.begin() + static_cast<std::ptrdiff_t>(nodes);
    std::nth_element(least.begin(), end - 1, least.end());
    std::sort(least.begin(), end, [](const auto& a, const auto& b) { return a.second < b.second; });
    for (auto at = least.begin(); at != end; ++at) {
        take(pick, fits, candidates[at->second], each, link);
    }
    return pick;
}

// The first node is taken that still leaves enough on the fullest ones after it, with all it has.
Pick take_first(const domain::Cluster& cluster, NodeFits* fits,
                const std::vector<Candidate>& candidates, std::uint64_t count, std::uint64_t wanted,
                double link) {
    Pick pick;
    Offers offers(candidates);
    for (const Candidate& one : candidates) {
        offers.remove(one);
        if (one.offer + offers.fullest(count - 1) < wanted) {
            continue;
        }
        const std::uint64_t taken = std::min<std::uint64_t>(one.offer, wanted);
        take(pick, fits, one, taken, link);
        wanted -= taken;
        --count;
        if (wanted == 0) {
            break;
        }
    }
    for (const std::uint32_t gpu : pick.gpus) {
        pick.uneven.push_back(cluster.gpus[gpu].node);
    }
    return pick;
}

// All speeds that make a difference, the fastest first.
std::set<double, std::greater<>> links_of(const std::vector<Candidate>& candidates) {
    std::set<double, std::greater<>> links = {0};
    const NodeFit* latest = nullptr;
    for (const Candidate& one : candidates) {
        if (one.fit == nullptr || one.fit == latest) {
            continue;
        }
        latest = one.fit;
        for (std::uint32_t count = 1; count <= latest->most(); ++count) {
            links.insert(latest->fastest_link(count));
        }
    }
    return links;
}

Pick take_unevenly(const domain::Cluster& cluster, NodeFits* fits,
                   std::vector<Candidate> candidates, std::uint64_t count, std::uint64_t wanted) {
    for (const double link : links_of(candidates)) {
        for (Candidate& one : candidates) {
            one.offer = one.fit == nullptr ? one.gpus.size() : one.fit->most_over(link);
        }
        if (Offers(candidates).fullest(count) >= wanted) {
            return take_first(cluster, fits, candidates, count, wanted, link);
        }
    }
    return {};
}

}  // namespace

Pick pick_compact(const domain::Cluster& cluster, NodeFits* fits,
                  std::span<const std::uint32_t> eligible, std::uint64_t wanted) {
    std::vector<Candidate> candidates =
        candidates_of(cluster, nullptr, Closeness::of_all, eligible, 1);
    const Offers offers(candidates);
    const std::uint64_t fewest = offers.fewest_for(wanted);
    if (wanted % fewest == 0 && offers.at_least(wanted / fewest) >= fewest) {
        return pick_uniform(cluster, fits, eligible, fewest, wanted / fewest);
    }
    candidates = candidates_of(cluster, fits, Closeness::inside_one_of_several, eligible, 1);
    return take_unevenly(cluster, fits, std::move(candidates), fewest, wanted);
}

Pick pick_uniform(const domain::Cluster& cluster, NodeFits* fits,
                  std::span<const std::uint32_t> eligible, std::uint64_t nodes,
                  std::uint64_t each) {
    const Closeness closeness = nodes == 1 ? Closeness::of_all : Closeness::inside_one_of_several;
    return take_evenly(fits, candidates_of(cluster, fits, closeness, eligible, each), nodes, each);
}

std::vector<std::uint32_t> nearest(NodeFits& fits, Closeness closeness,
                                   std::span<const std::uint32_t> eligible, std::size_t count) {
    Pick pick;
    if (count > 0) {
        const NodeFit* const fit = fits.find(closeness, eligible);
        const double link = fit == nullptr ? infinite : fit->fastest_link(count);
        take(pick, &fits, {eligible, fit, eligible.size()}, count, link);
    }
    return pick.gpus;
}

Pick count_nodes(const domain::Cluster& cluster, std::vector<std::uint32_t> gpus) {
    Pick pick;
    const std::vector<OnNode> nodes = by_node(cluster, gpus);
    pick.nodes = nodes.size();
    const bool is_even = std::all_of(nodes.begin(), nodes.end(), [&](const OnNode& node) {
        return node.size() == nodes.front().size();
    });
    for (const std::uint32_t gpu : gpus) {
        if (!is_even) {
            pick.uneven.push_back(cluster.gpus[gpu].node);
        }
    }
    pick.gpus = std::move(gpus);
    return pick;
}

std::vector<OnNode> by_node(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    std::vector<OnNode> nodes;
    for (std::size_t first = 0; first < gpus.size();) {
        std::size_t end = first;
        while (end < gpus.size() &&
               cluster.gpus[gpus[end]].node == cluster.gpus[gpus[first]].node) {
            ++end;
        }
        nodes.push_back(gpus.subspan(first, end - first));
        first = end;
    }
    return nodes;
}

}  // namespace hora::plan
