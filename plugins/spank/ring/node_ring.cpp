// In which order does a ring visit a job's nodes?
#include "plugins/spank/ring/node_ring.hpp"

#include <cstdint>
#include <numeric>

#include "libplanner/plan/ring/node_order.hpp"

namespace hora::spank {

std::vector<std::string> ring_over(const read::NamedFabric& named,
                                   std::span<const std::string> nodes) {
    const read::FabricOfNodes of_job = read::fabric_of(named, nodes);
    if (of_job.fabric.switches.empty() || of_job.loose.size() == nodes.size()) {
        return {};
    }
    std::vector<std::uint32_t> given(nodes.size());
    std::iota(given.begin(), given.end(), 0);
    std::vector<std::string> ring;
    for (const std::uint32_t node : plan::order_nodes(of_job.fabric, given)) {
        ring.push_back(nodes[node]);
    }
    return ring;
}

}  // namespace hora::spank
