// Out of eligible GPUs, which n lie on fewest nodes, evenly, and first?
#include "libplanner/plan/pick.hpp"

#include <algorithm>

namespace hora::plan {

namespace {

// Eligible GPUs of one node: they follow each other, as the cluster lists GPUs by node.
using OnNode = std::span<const std::uint32_t>;

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

// How many nodes have how many GPUs.
class Sizes {
  public:
    explicit Sizes(const std::vector<OnNode>& nodes) {
        for (const OnNode& node : nodes) {
            if (nodes_.size() <= node.size()) {
                nodes_.resize(node.size() + 1);
            }
            ++nodes_[node.size()];
        }
    }
    void remove(const OnNode& node) { --nodes_[node.size()]; }

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

// The first node is taken that still leaves enough on the fullest ones after it, with all it has.
std::vector<std::uint32_t> first_on(const std::vector<OnNode>& nodes, Sizes sizes,
                                    std::uint64_t count, std::uint64_t wanted) {
    std::vector<std::uint32_t> picked;
    for (const OnNode& node : nodes) {
        sizes.remove(node);
        if (node.size() + sizes.fullest(count - 1) < wanted) {
            continue;
        }
        const std::uint64_t taken = std::min<std::uint64_t>(node.size(), wanted);
        picked.insert(picked.end(), node.begin(),
                      node.begin() + static_cast<std::ptrdiff_t>(taken));
        wanted -= taken;
        --count;
        if (wanted == 0) {
            break;
        }
    }
    return picked;
}

}  // namespace

std::vector<std::uint32_t> pick_compact(const domain::Cluster& cluster,
                                        std::span<const std::uint32_t> eligible,
                                        std::uint64_t wanted) {
    const std::vector<OnNode> nodes = by_node(cluster, eligible);
    const Sizes sizes(nodes);
    const std::uint64_t fewest = sizes.fewest_for(wanted);
    if (wanted % fewest == 0 && sizes.at_least(wanted / fewest) >= fewest) {
        return pick_uniform(cluster, eligible, fewest, wanted / fewest);
    }
    return first_on(nodes, sizes, fewest, wanted);
}

std::vector<std::uint32_t> pick_uniform(const domain::Cluster& cluster,
                                        std::span<const std::uint32_t> eligible,
                                        std::uint64_t nodes, std::uint64_t each) {
    std::vector<std::uint32_t> picked;
    for (const OnNode& node : by_node(cluster, eligible)) {
        if (node.size() >= each && picked.size() < nodes * each) {
            picked.insert(picked.end(), node.begin(),
                          node.begin() + static_cast<std::ptrdiff_t>(each));
        }
    }
    return picked;
}

std::uint64_t count_nodes(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    return by_node(cluster, gpus).size();
}

bool is_uniform(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    const std::vector<OnNode> nodes = by_node(cluster, gpus);
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](const OnNode& node) { return node.size() == nodes.front().size(); });
}

}  // namespace hora::plan
