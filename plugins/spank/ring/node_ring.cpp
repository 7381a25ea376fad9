// In which order does a ring visit a job's nodes, and where does it leave a switch?
#include "plugins/spank/ring/node_ring.hpp"

#include <algorithm>
#include <numeric>

#include "libplanner/plan/ring/node_order.hpp"

namespace hora::spank {
namespace {

constexpr std::uint32_t most_levels = 64;

// The switches above a node, the nearest first.
std::vector<std::uint32_t> switches_above(const domain::Fabric& fabric, std::uint32_t node) {
    std::vector<std::uint32_t> above;
    for (std::uint32_t at = fabric.attached_to[node];
         at != domain::no_fabric_switch && above.size() < most_levels;
         at = fabric.switches[at].parent) {
        above.push_back(at);
    }
    return above;
}

// Up from the deeper of the two to the switch that both are below; past the roots where none is.
std::uint32_t climb(const domain::Fabric& fabric, std::uint32_t a, std::uint32_t b) {
    const std::vector<std::uint32_t> above_a = switches_above(fabric, a);
    const std::vector<std::uint32_t> above_b = switches_above(fabric, b);
    for (std::size_t i = 0; i < above_a.size(); ++i) {
        const auto shared = std::find(above_b.begin(), above_b.end(), above_a[i]);
        if (shared != above_b.end()) {
            return static_cast<std::uint32_t>(
                std::max(i, static_cast<std::size_t>(shared - above_b.begin())));
        }
    }
    return static_cast<std::uint32_t>(std::max<std::size_t>({above_a.size(), above_b.size(), 1}));
}

}  // namespace

NodeRing ring_over(const read::NamedFabric& named, std::span<const std::string> nodes) {
    const read::FabricOfNodes of_job = read::fabric_of(named, nodes);
    if (of_job.fabric.switches.empty() || of_job.loose.size() == nodes.size()) {
        return {};
    }
    std::vector<std::uint32_t> given(nodes.size());
    std::iota(given.begin(), given.end(), 0);
    const std::vector<std::uint32_t> order = plan::order_nodes(of_job.fabric, given);
    NodeRing ring;
    for (std::size_t i = 0; i < order.size(); ++i) {
        ring.nodes.push_back(nodes[order[i]]);
        if (i > 0) {
            ring.climbs.push_back(climb(of_job.fabric, order[i - 1], order[i]));
        }
    }
    return ring;
}

NodeRing part_of(const NodeRing& ring, std::size_t count) {
    std::size_t best = 0;
    std::uint64_t least = 0;
    for (std::size_t start = 0; start + count <= ring.nodes.size(); ++start) {
        std::uint64_t climbed = 0;
        std::uint32_t back = 0;  // from the last node to the first: over the highest switch passed
        for (std::size_t i = start; i + 1 < start + count; ++i) {
            climbed += ring.climbs[i];
            back = std::max(back, ring.climbs[i]);
        }
        if (start == 0 || climbed + back < least) {
            best = start;
            least = climbed + back;
        }
    }
    const auto from = static_cast<std::ptrdiff_t>(best);
    const auto to = static_cast<std::ptrdiff_t>(best + count);
    return {{ring.nodes.begin() + from, ring.nodes.begin() + to},
            {ring.climbs.begin() + from, ring.climbs.begin() + to - 1}};
}

}  // namespace hora::spank
