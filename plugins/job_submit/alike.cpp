// Which nodes are so alike that a plan need not look at all of them? In time linear in the GPUs.
#include "plugins/job_submit/alike.hpp"

#include <cstring>
#include <string>
#include <unordered_map>

namespace hora::submit {
namespace {

template <class Value>
void add(std::string& sign, const Value& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    sign.append(bytes, sizeof value);
}

// The parts from the GPU's own up to the node's, relative to the node's, and the node's parent.
void add_parts(std::string& sign, const domain::Cluster& cluster, std::uint32_t part,
               std::uint32_t first_part) {
    while (part != domain::no_part) {
        const domain::Part& here = cluster.parts[part];
        const bool is_outside =
            here.kind == domain::PartKind::leaf_switch || here.kind == domain::PartKind::fabric;
        if (is_outside) {
            add(sign, part);
            return;
        }
        add(sign, part - first_part);
        add(sign, here.kind);
        add(sign, here.link.bandwidth.count());
        add(sign, here.link.latency.count());
        part = here.parent;
    }
}

}  // namespace

void leave_surplus(domain::Cluster& cluster, std::size_t most_nodes) {
    std::unordered_map<std::string, std::size_t> seen;
    std::string sign;
    for (std::size_t first = 0; first < cluster.gpus.size();) {
        const std::uint32_t node = cluster.gpus[first].node;
        std::size_t last = first;
        sign.clear();
        add(sign, cluster.nodes[node].overhead.count());
        for (; last < cluster.gpus.size() && cluster.gpus[last].node == node; ++last) {
            const domain::Gpu& gpu = cluster.gpus[last];
            add(sign, gpu.index);
            add(sign, gpu.device);
            add(sign, gpu.is_free);
            add_parts(sign, cluster, gpu.part, cluster.gpus[first].part);
        }
        const bool is_surplus = seen[sign]++ >= most_nodes;
        for (; first < last; ++first) {
            cluster.gpus[first].is_free = cluster.gpus[first].is_free && !is_surplus;
        }
    }
}

}  // namespace hora::submit
