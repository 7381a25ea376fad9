// Which groups do the GPUs of a machine form, so that each group is as fast as its slowest pair?
#include "libplanner/read/cluster/node_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/model/links/channel_search.hpp"
#include "libplanner/model/links/path.hpp"
#include "libplanner/model/links/set_bandwidth.hpp"
#include "libplanner/read/machine/pci_device.hpp"

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

static_assert(model::most_searched_gpus == domain::most_mesh_gpus);

// Some of them at least: their type may have NVLink on boards.
bool are_cards(const Topology& topology) {
    return std::any_of(topology.gpus.begin(), topology.gpus.end(), [&](const auto& gpu) {
        return !is_on_nvlink_board(identity_of(topology.objects[gpu.object])).value_or(true);
    });
}

class LayoutWriter {
  public:
    LayoutWriter(const Topology& topology, const domain::Device& device)
        : topology_(topology),
          device_(device),
          is_by_device_(topology.nvlinks.empty() && device.nvlink > Bandwidth(0) &&
                        !are_cards(topology)),
          bundles_(topology.objects.size()) {
        const bool is_searched = topology.gpus.size() > 1 && !is_by_device_ &&
                                 topology.gpus.size() <= model::most_searched_gpus;
        if (is_searched) {
            sets_ = model::all_set_bandwidths(topology);
        }
    }

    NodeLayout write() {
        layout_.group_of.assign(topology_.gpus.size(), 0);
        std::optional<Bundle> whole = meet();
        if (!whole || whole->inner.empty()) {
            layout_.groups.push_back({PartKind::node, "", no_part, link_of_one()});
        } else {
            write(*whole, no_part);
            layout_.mesh = mesh();
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

    Link link_of_one() const {
        if (is_by_device_ || topology_.gpus.empty()) {
            return usual_link(device_);
        }
        return pcie_link(model::attained(topology_.objects[topology_.gpus[0].object].uplink));
    }

    // What the worst set of them exchanges, which of a tree is the slowest path between any two.
    Link link_of(const Bundle& bundle) const {
        const domain::GpuPath* slowest = nullptr;
        for (const std::uint32_t a : bundle.gpus) {
            for (const std::uint32_t b : bundle.gpus) {
                const domain::GpuPath& path = topology_.path(a, b);
                const bool is_slower = slowest == nullptr || path.bandwidth < slowest->bandwidth;
                slowest = a < b && is_slower ? &path : slowest;
            }
        }
        if (is_by_device_ && !slowest->is_measured) {
            return usual_link(device_);
        }
        const bool is_nvlink = slowest->kind == PathKind::nvlink;
        const Bandwidth least =
            sets_.empty() ? least_over_paths(bundle, *slowest) : least_of_sets(bundle);
        return is_nvlink ? nvlink_link(least) : pcie_link(least);
    }

    // Where not every set can be looked at: over NVLink as fast as the channels.
    Bandwidth least_over_paths(const Bundle& bundle, const domain::GpuPath& slowest) const {
        const bool is_nvlink = slowest.kind == PathKind::nvlink && !slowest.is_measured;
        return is_nvlink ? std::min(slowest.bandwidth,
                                    model::set_bandwidth(topology_, bundle.gpus).bandwidth)
                         : slowest.bandwidth;
    }

    Bandwidth least_of_sets(const Bundle& bundle) const {
        std::uint32_t all = 0;
        for (const std::uint32_t gpu : bundle.gpus) {
            all |= 1U << gpu;
        }
        Bandwidth least = sets_[all];
        for (std::uint32_t set = all; set != 0; set = (set - 1) & all) {
            least = std::popcount(set) > 1 ? std::min(least, sets_[set]) : least;
        }
        return least;
    }

    // Every set that exchanges more than the smallest group around it.
    std::optional<domain::Mesh> mesh() const {
        const auto count = static_cast<std::uint32_t>(topology_.gpus.size());
        bool is_told = true;
        for (std::uint32_t set = 0; set < sets_.size(); ++set) {
            is_told = is_told && (std::popcount(set) < 2 ||
                                  sets_[set] == layout_.groups[group_around(set)].link.bandwidth);
        }
        if (is_told) {
            return std::nullopt;
        }
        const Seconds latency = topology_.nvlinks.empty() ? pcie_link(Bandwidth(1)).latency
                                                          : nvlink_link(Bandwidth(1)).latency;
        return domain::Mesh{count, latency, sets_};
    }

    std::uint32_t group_around(std::uint32_t set) const {
        std::uint32_t group = layout_.group_of[static_cast<std::size_t>(std::countr_zero(set))];
        for (std::uint32_t gpu = 0; gpu < layout_.group_of.size(); ++gpu) {
            std::uint32_t other = (set >> gpu & 1U) != 0 ? layout_.group_of[gpu] : group;
            while (group != other) {  // parents have smaller numbers
                std::uint32_t& inner = group > other ? group : other;
                inner = layout_.groups[inner].parent;
            }
        }
        return group;
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
    const bool is_by_device_;  // what its type has counts, for the topology shows no NVLink
    std::vector<std::vector<Bundle>> bundles_;  // by object: what hangs directly below
    std::vector<Bandwidth> sets_;  // by set of GPUs; empty: too many, or by the device alone
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
