// Which free GPUs does each part of the cluster hold, counted by what makes them differ?
#include "libplanner/plan/free_gpus.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_map>

namespace hora::plan {

namespace {

struct Portion {
    std::uint32_t part;
    Shape shape;
};

void count(Shape& shape, std::uint32_t device) {
    const auto at = std::find_if(shape.begin(), shape.end(),
                                 [&](const Kind& kind) { return kind.device >= device; });
    if (at != shape.end() && at->device == device) {
        ++at->count;
    } else {
        shape.insert(at, Kind{device, 1});
    }
}

void mix(std::size_t& hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
}

std::size_t hash_of(const std::vector<Group>& groups) {
    std::size_t hash = groups.size();
    for (const Group& group : groups) {
        mix(hash, group.shape);
        for (const Run& run : group.runs) {
            mix(hash, std::bit_cast<std::uint64_t>(run.overhead.count()));
            mix(hash, run.upto);
        }
    }
    return hash;
}

// Free GPUs that can train, by node.
std::vector<std::vector<std::uint32_t>> usable_by_node(const Pricing& pricing) {
    const domain::Cluster& cluster = pricing.cluster();
    std::vector<std::vector<std::uint32_t>> nodes(cluster.nodes.size());
    for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
        const domain::Gpu& gpu = cluster.gpus[i];
        if (gpu.is_free && pricing.largest_share(gpu.device) > 0) {
            nodes[gpu.node].push_back(i);
        }
    }
    return nodes;
}

}  // namespace

Shape shape_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    Shape shape;
    for (const std::uint32_t gpu : gpus) {
        count(shape, cluster.gpus[gpu].device);
    }
    return shape;
}

FreeGpus::FreeGpus(const Pricing& pricing, domain::Layout layout) {
    const domain::Cluster& cluster = pricing.cluster();
    groups_.resize(cluster.parts.size());
    ranges_.resize(cluster.parts.size(), {domain::no_part, 0});
    const auto nodes = usable_by_node(pricing);
    std::vector<std::uint32_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return cluster.nodes[a].overhead < cluster.nodes[b].overhead;
    });
    if (layout == domain::Layout::any) {
        for (std::uint32_t device = 0; device < cluster.devices.size(); ++device) {
            shapes_.push_back({{device, 1}});
        }
    }
    for (const std::uint32_t node : order) {
        add_node(pricing, nodes[node], layout);
    }
    classify(cluster);
}

std::uint32_t FreeGpus::shape_id(const Shape& shape) {
    const auto at = std::find(shapes_.begin(), shapes_.end(), shape);
    if (at != shapes_.end()) {
        return static_cast<std::uint32_t>(at - shapes_.begin());
    }
    shapes_.push_back(shape);
    return static_cast<std::uint32_t>(shapes_.size() - 1);
}

void FreeGpus::add_node(const Pricing& pricing, std::span<const std::uint32_t> gpus,
                        domain::Layout layout) {
    const domain::Cluster& cluster = pricing.cluster();
    std::vector<Portion> portions;  // a handful: the parts above and inside one node
    for (const std::uint32_t gpu : gpus) {
        for (std::uint32_t part = cluster.gpus[gpu].part; part != domain::no_part;
             part = cluster.parts[part].parent) {
            auto at = std::find_if(portions.begin(), portions.end(),
                                   [&](const Portion& one) { return one.part == part; });
            if (at == portions.end()) {
                at = portions.insert(at, Portion{part, {}});
            }
            ranges_[part].first = std::min(ranges_[part].first, gpu);
            ranges_[part].end = std::max(ranges_[part].end, gpu + 1);
            count(at->shape, cluster.gpus[gpu].device);
        }
    }
    total_ += gpus.size();
    most_in_a_node_ = std::max(most_in_a_node_, static_cast<std::uint32_t>(gpus.size()));
    const auto overhead = [&] { return cluster.nodes[cluster.gpus[gpus[0]].node].overhead; };
    for (const Portion& portion : portions) {
        if (layout == domain::Layout::uniform) {
            add_units(portion.part, shape_id(portion.shape), overhead(), 1);
            continue;
        }
        for (const Kind& kind : portion.shape) {
            add_units(portion.part, kind.device, overhead(), kind.count);
        }
    }
}

// Nodes come by overhead, so a group's runs do as well.
void FreeGpus::add_units(std::uint32_t part, std::uint32_t shape, Seconds overhead,
                         std::uint64_t units) {
    std::vector<Group>& groups = groups_[part];
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const Group& group) { return group.shape >= shape; });
    if (at == groups.end() || at->shape != shape) {
        at = groups.insert(at, Group{shape, {}});
    }
    if (at->runs.empty() || at->runs.back().overhead != overhead) {
        at->runs.push_back({overhead, at->runs.empty() ? 0 : at->runs.back().upto});
    }
    at->runs.back().upto += units;
}

void FreeGpus::classify(const domain::Cluster& cluster) {
    std::map<std::pair<double, double>, std::size_t> index_of_link;
    std::unordered_multimap<std::size_t, std::pair<std::size_t, std::size_t>> known;
    for (std::uint32_t part = 0; part < cluster.parts.size(); ++part) {
        std::vector<Group>& groups = groups_[part];
        if (groups.empty()) {
            continue;
        }
        const domain::Link& link = cluster.parts[part].link;
        const auto [entry, is_new] = index_of_link.emplace(
            std::pair{link.bandwidth.count(), link.latency.count()}, links_.size());
        if (is_new) {
            links_.push_back({link, {}});
        }
        const std::size_t link_index = entry->second;
        std::vector<PartClass>& classes = links_[link_index].classes;
        std::size_t hash = hash_of(groups);
        mix(hash, link_index);
        const auto [first, last] = known.equal_range(hash);
        const auto same = std::find_if(first, last, [&](const auto& one) {
            return one.second.first == link_index && classes[one.second.second].groups == groups;
        });
        if (same != last) {
            classes[same->second.second].parts.push_back(part);
            continue;
        }
        std::uint64_t units = 0;
        for (const Group& group : groups) {
            units += group.units();
        }
        known.emplace(hash, std::pair{link_index, classes.size()});
        classes.push_back({std::move(groups), units, {part}});
    }
    for (LinkClasses& link : links_) {
        std::stable_sort(link.classes.begin(), link.classes.end(),
                         [](const PartClass& a, const PartClass& b) { return a.units > b.units; });
    }
    groups_.clear();
}

}  // namespace hora::plan
