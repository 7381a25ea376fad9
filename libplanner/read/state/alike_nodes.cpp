// Which nodes differ in nothing but their name and what runs on them? In time linear in the GPUs.
#include "libplanner/read/state/alike_nodes.hpp"

#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>

namespace hora::read {
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

std::vector<std::uint32_t> alike_nodes(const domain::Cluster& cluster) {
    std::vector<std::uint32_t> alike(cluster.nodes.size());
    std::iota(alike.begin(), alike.end(), 0U);
    std::unordered_map<std::string, std::uint32_t> seen;
    std::string sign;
    for (auto gpu = cluster.gpus.begin(); gpu != cluster.gpus.end();) {
        const domain::Gpu& first = *gpu;
        sign.clear();
        add(sign, cluster.nodes[first.node].overhead.count());
        add(sign, cluster.nodes[first.node].mesh);
        for (; gpu != cluster.gpus.end() && gpu->node == first.node; ++gpu) {
            add(sign, gpu->index);
            add(sign, gpu->device);
            add_parts(sign, cluster, gpu->part, first.part);
        }
        alike[first.node] = seen.emplace(sign, first.node).first->second;
    }
    return alike;
}

}  // namespace hora::read
