// Which groups do the GPUs of a machine form, so that each group is as fast as its slowest pair?
#include "libplanner/read/cluster/node_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/model/path.hpp"

namespace hora::read {
namespace {

using domain::Link;
using domain::no_part;
using domain::ObjectKind;
using domain::PartKind;
using domain::PathKind;
using domain::Topology;

// What a device of this type has counts for more than what is merely usual.
Topology with_known_links(Topology topology, const domain::Device& device) {
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        domain::PcieLink& link = topology.objects[gpu.object].uplink;
        if (link.is_usual || link.bandwidth == Bandwidth(0)) {
            const double lanes = link.lanes > 0 ? link.lanes : 16;
            link = {0, link.lanes, device.pcie * (lanes / 16), true, true};
        }
    }
    model::find_paths(topology);
    return topology;
}

// GPUs that have met somewhere below: one GPU, or a group of several.
struct Bundle {
    std::uint32_t at = 0;             // object
    std::vector<std::uint32_t> gpus;  // indices into Topology::gpus
    std::vector<Bundle> inner;        // empty: a GPU
};

class LayoutWriter {
  public:
    LayoutWriter(const Topology& topology, const domain::Device& device)
        : topology_(topology), device_(device), bundles_(topology.objects.size()) {}

    NodeLayout write() {
        layout_.group_of.assign(topology_.gpus.size(), 0);
        std::optional<Bundle> whole = meet();
        if (!whole || whole->inner.empty()) {
            layout_.groups.push_back({PartKind::node, "", no_part, link_of_one()});
        } else {
            write(*whole, no_part);
        }
        return std::move(layout_);
    }

  private:
    // Children come after their parents, so that from the back each object's are complete.
    std::optional<Bundle> meet() {
        for (std::uint32_t i = 0; i < topology_.gpus.size(); ++i) {
            const std::uint32_t own = topology_.gpus[i].object;
            bundles_[own].push_back({own, {i}, {}});
        }
        for (std::size_t i = topology_.objects.size(); i-- > 1;) {
            if (auto bundle = joined(static_cast<std::uint32_t>(i))) {
                bundles_[topology_.objects[i].parent].push_back(std::move(*bundle));
            }
        }
        return joined(0);
    }

    // What hangs below an object: nothing, one bundle that hangs there alone, or a new group.
    std::optional<Bundle> joined(std::uint32_t object) {
        std::vector<Bundle> found = std::move(bundles_[object]);
        if (found.empty()) {
            return std::nullopt;
        }
        if (found.size() == 1) {
            return std::move(found.front());
        }
        std::sort(found.begin(), found.end(),
                  [](const Bundle& a, const Bundle& b) { return a.gpus.front() < b.gpus.front(); });
        Bundle bundle{object, {}, {}};
        for (const Bundle& one : found) {
            bundle.gpus.insert(bundle.gpus.end(), one.gpus.begin(), one.gpus.end());
        }
        std::sort(bundle.gpus.begin(), bundle.gpus.end());
        bundle.inner = std::move(found);
        return bundle;
    }

    bool is_by_device() const { return topology_.nvlinks.empty() && device_.nvlink > Bandwidth(0); }

    Link link_of_one() const {
        if (is_by_device() || topology_.gpus.empty()) {
            return usual_link(device_);
        }
        return pcie_link(model::attained(topology_.objects[topology_.gpus[0].object].uplink));
    }

    // The slowest path between any two of them.
    Link link_of(const Bundle& bundle) const {
        const domain::GpuPath* slowest = nullptr;
        for (const std::uint32_t a : bundle.gpus) {
            for (const std::uint32_t b : bundle.gpus) {
                const domain::GpuPath& path = topology_.path(a, b);
                const bool is_slower = slowest == nullptr || path.bandwidth < slowest->bandwidth;
                slowest = a < b && is_slower ? &path : slowest;
            }
        }
        if (is_by_device() && !slowest->is_measured) {
            return usual_link(device_);
        }
        return slowest->kind == PathKind::nvlink ? nvlink_link(slowest->bandwidth)
                                                 : pcie_link(slowest->bandwidth);
    }

    PartKind kind_of(std::uint32_t object) const {
        switch (topology_.objects[object].kind) {
            case ObjectKind::machine:
                return PartKind::node;
            case ObjectKind::bridge:
                return PartKind::pcie_switch;
            default:
                return PartKind::socket;
        }
    }

    void write(const Bundle& bundle, std::uint32_t parent) {
        const auto own = static_cast<std::uint32_t>(layout_.groups.size());
        const PartKind kind = parent == no_part ? PartKind::node : kind_of(bundle.at);
        layout_.groups.push_back({kind, name_of(kind), parent, link_of(bundle)});
        for (const Bundle& inner : bundle.inner) {
            if (inner.inner.empty()) {
                layout_.group_of[inner.gpus.front()] = own;
            } else {
                write(inner, own);
            }
        }
    }

    std::string name_of(PartKind kind) {
        if (kind == PartKind::node) {
            return "";
        }
        return kind == PartKind::socket ? fmt::format("socket{}", sockets_++)
                                        : fmt::format("switch{}", switches_++);
    }

    const Topology& topology_;
    const domain::Device& device_;
    std::vector<std::vector<Bundle>> bundles_;  // by object: what hangs directly below
    NodeLayout layout_;
    unsigned sockets_ = 0;
    unsigned switches_ = 0;
};

}  // namespace

NodeLayout layout_of(const Topology& topology, const domain::Device& device) {
    const Topology known = with_known_links(topology, device);
    return LayoutWriter(known, device).write();
}

}  // namespace hora::read
