// Of what boxes is the picture of a machine made, and where do they stand?
#include "libplanner/report/svg/machine_boxes.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/report/svg/machine_layout.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::Topology;

using Indices = std::vector<std::uint32_t>;

constexpr double usual_gpu_width = 88;
constexpr double wide_gpu_width = 128;

class Builder {
  public:
    explicit Builder(const Topology& topology)
        : topology_(topology),
          tops_(topology.objects.size()),
          numbers_(topology.objects.size(), no_box) {
        for (std::uint32_t i = 0; i < topology.gpus.size(); ++i) {
            numbers_[topology.gpus[i].object] = i;
        }
        for (std::uint32_t i = 0; i < topology.nics.size(); ++i) {
            numbers_[topology.nics[i].object] = i;
        }
    }

    // Children come after their parents in a topology, so that what is below is known.
    MachineBoxes build() {
        for (std::size_t i = topology_.objects.size(); i-- > 0;) {
            take(static_cast<std::uint32_t>(i));
        }
        result_.roots = tops_.empty() ? Indices() : tops_[0];
        return std::move(result_);
    }

  private:
    void take(std::uint32_t object) {
        const ObjectKind kind = topology_.objects[object].kind;
        Indices& tops = tops_[object];
        std::reverse(tops.begin(), tops.end());
        if (numbers_[object] != no_box) {
            tops.insert(tops.begin(), add(object, {}));
        } else {
            join_nics(kind, tops);
            std::stable_partition(tops.begin(), tops.end(), [&](std::uint32_t box) {
                return result_.boxes[box].kind != ObjectKind::nic;
            });
            if (is_shown(object)) {
                tops = {add(object, tops)};
            }
        }
        narrow(object);
        if (object > 0) {
            Indices& above = tops_[topology_.objects[object].parent];
            above.insert(above.end(), tops.rbegin(), tops.rend());
        }
    }

    // The slowest link on the way up counts, also of what is left out.
    void narrow(std::uint32_t object) {
        const domain::PcieLink& link = topology_.objects[object].uplink;
        for (const std::uint32_t top : tops_[object]) {
            domain::PcieLink& own = result_.boxes[top].uplink;
            const bool is_slower = link.bandwidth < own.bandwidth || own.bandwidth == Bandwidth(0);
            if (link.bandwidth > Bandwidth(0) && is_slower) {
                own = link;
            }
        }
    }

    bool is_shown(std::uint32_t object) const {
        const domain::TopologyObject& one = topology_.objects[object];
        const Indices& tops = tops_[object];
        switch (one.kind) {
            case ObjectKind::machine:
                return tops.empty() || !are_containers(tops);
            case ObjectKind::socket:
                return true;
            case ObjectKind::numa_node:
                return has_siblings(object);
            case ObjectKind::host_bridge:
                return tops.size() > 1;
            case ObjectKind::bridge:
                return one.is_switch && tops.size() > 1;
            default:
                return false;
        }
    }

    bool are_containers(const Indices& boxes) const {
        return std::all_of(boxes.begin(), boxes.end(), [&](std::uint32_t box) {
            return is_container(result_.boxes[box].kind);
        });
    }

    // A socket's only NUMA node is named in the socket's box.
    bool has_siblings(std::uint32_t object) const {
        const std::uint32_t parent = topology_.objects[object].parent;
        if (topology_.objects[parent].kind != ObjectKind::socket) {
            return true;
        }
        return std::count_if(topology_.objects.begin(), topology_.objects.end(),
                             [&](const domain::TopologyObject& other) {
                                 return other.kind == ObjectKind::numa_node &&
                                        other.parent == parent;
                             }) > 1;
    }

    void join_nics(ObjectKind kind, Indices& tops) {
        if (kind != ObjectKind::bridge && kind != ObjectKind::host_bridge) {
            return;
        }
        Indices kept;
        Indices nics;
        for (const std::uint32_t top : tops) {
            MachineBox& box = result_.boxes[top];
            const auto same = std::find_if(nics.begin(), nics.end(), [&](std::uint32_t nic) {
                return result_.boxes[nic].uplink.bandwidth == box.uplink.bandwidth;
            });
            if (box.kind == ObjectKind::nic && same != nics.end()) {
                Indices& numbers = result_.boxes[*same].numbers;
                numbers.insert(numbers.end(), box.numbers.begin(), box.numbers.end());
                box.numbers.clear();
                continue;
            }
            if (box.kind == ObjectKind::nic) {
                nics.push_back(top);
            }
            kept.push_back(top);
        }
        tops = std::move(kept);
    }

    std::uint32_t add(std::uint32_t object, Indices children) {
        const ObjectKind kind = topology_.objects[object].kind;
        const auto index = static_cast<std::uint32_t>(result_.boxes.size());
        for (const std::uint32_t child : children) {
            result_.boxes[child].parent = index;
        }
        MachineBox box;
        box.kind = kind;
        box.object = object;
        if (is_gpu_or_nic(kind)) {
            box.numbers = {numbers_[object]};
        }
        box.children = std::move(children);
        result_.boxes.push_back(std::move(box));
        return index;
    }

    const Topology& topology_;
    std::vector<Indices>
        tops_;         // by object: the boxes that stand for it, right to left until taken
    Indices numbers_;  // by object: of GPUs and of NICs
    MachineBoxes result_;
};

// NICs that joined another's box leave an empty one behind.
void drop_empty(MachineBoxes& all) {
    const auto is_empty = [](const MachineBox& box) {
        return box.kind == ObjectKind::nic && box.numbers.empty();
    };
    Indices index(all.boxes.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < all.boxes.size(); ++i) {
        index[i] = next;
        next += is_empty(all.boxes[i]) ? 0 : 1;
    }
    for (MachineBox& box : all.boxes) {
        for (std::uint32_t& child : box.children) {
            child = index[child];
        }
        box.parent = box.parent == no_box ? no_box : index[box.parent];
    }
    for (std::uint32_t& root : all.roots) {
        root = index[root];
    }
    std::erase_if(all.boxes, is_empty);
}

// The most NVLinks of a GPU to others, all links of a pair counted once.
std::size_t most_nvlinks(const Topology& topology) {
    std::vector<std::size_t> counts(topology.objects.size(), 0);
    std::size_t most = 0;
    for (const domain::NvLink& link : topology.nvlinks) {
        if (topology.objects[link.a].kind == ObjectKind::gpu &&
            topology.objects[link.b].kind == ObjectKind::gpu) {
            most = std::max({most, ++counts[link.a], ++counts[link.b]});
        }
    }
    return most;
}

// Wide where a box names its GPU's type, or where many links leave it.
double gpu_width_of(const Topology& topology) {
    return has_several_gpu_types(topology) || most_nvlinks(topology) > 2 ? wide_gpu_width
                                                                         : usual_gpu_width;
}

}  // namespace

bool has_several_gpu_types(const Topology& topology) {
    return std::any_of(topology.gpus.begin(), topology.gpus.end(), [&](const auto& gpu) {
        return topology.objects[gpu.object].name != topology.objects[topology.gpus[0].object].name;
    });
}

MachineBoxes boxes_of(const Topology& topology) {
    MachineBoxes all = Builder(topology).build();
    drop_empty(all);
    place_boxes(all, gpu_width_of(topology));
    return all;
}

}  // namespace hora::report
