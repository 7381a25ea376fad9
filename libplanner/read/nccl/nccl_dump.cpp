// Which machine did NCCL see, by the file that NCCL_TOPO_DUMP_FILE names?
#include "libplanner/read/nccl/nccl_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "libplanner/model/path.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/xml_tags.hpp"

namespace hora::read {
namespace {

using domain::no_object;
using domain::ObjectKind;
using domain::PciAddress;
using domain::Topology;
using domain::TopologyObject;

constexpr std::size_t most_text = std::size_t{4} << 20;
constexpr std::size_t most_objects = 1024;
constexpr std::size_t most_gpus = 256;
constexpr std::uint16_t bridge_class = 0x0604;
constexpr std::uint32_t most_lanes = 64;

// "0x030200" or "10", from the start of the text; 0 where there is no number.
std::uint32_t number(std::string_view text) {
    const bool is_hex = text.starts_with("0x");
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
    return value;
}

// "16.0 GT/s PCIe" and 16 lanes. An empty speed, as in virtual machines, is not known.
domain::PcieLink link_of(const XmlTag& tag) {
    domain::PcieLink link;
    const std::string_view speed = tag.value("link_speed");
    std::from_chars(speed.data(), speed.data() + speed.size(), link.gigatransfers);
    link.lanes = number(tag.value("link_width"));
    link.bandwidth = model::pcie_bandwidth(link.gigatransfers, link.lanes);
    return link.bandwidth > Bandwidth(0) && link.lanes <= most_lanes ? link : domain::PcieLink();
}

// One NVLink of a GPU of this generation, one way: NCCL's figure without the share that it counts
// on (model/path.cpp).
Bandwidth nvlink_of(std::uint32_t generation) {
    return Bandwidth(generation >= 100 ? 50e9 : generation >= 70 ? 25e9 : 22.5e9);
}

// An <nvlink> of a GPU, before it is known what its target is.
struct Lanes {
    std::uint32_t gpu = 0;  // index into objects
    PciAddress target;
    bool is_switch = false;
    Bandwidth bandwidth;
};

class Reader {
  public:
    explicit Reader(std::string_view xml) : tags_(xml) { topology_.objects.emplace_back(); }

    Expected<Topology> read();

  private:
    Expected<void> open(const XmlTag& tag);
    Expected<void> open_cpu(const XmlTag& tag);
    Expected<void> open_pci(const XmlTag& tag);
    Expected<void> open_nvlink(const XmlTag& tag);
    Expected<std::uint32_t> add(TopologyObject object, const XmlTag& tag);
    void list_devices();
    void link_gpus();
    static tl::unexpected<Error> problem(const XmlTag& tag, std::string_view what) {
        return wrong_use(fmt::format("line {}: {}", tag.line, what));
    }

    XmlTags tags_;
    Topology topology_;
    std::vector<std::uint32_t> way_{0};  // objects around the tag that is read
    std::map<PciAddress, std::uint32_t> at_;
    std::map<std::uint32_t, std::uint32_t> generations_;  // of GPUs, by object
    std::vector<Lanes> lanes_;
};

Expected<std::uint32_t> Reader::add(TopologyObject object, const XmlTag& tag) {
    if (topology_.objects.size() == most_objects) {
        return problem(tag, fmt::format("more than {} devices", most_objects));
    }
    topology_.objects.push_back(std::move(object));
    return static_cast<std::uint32_t>(topology_.objects.size() - 1);
}

Expected<void> Reader::open_cpu(const XmlTag& tag) {
    TopologyObject node;
    node.kind = ObjectKind::numa_node;
    node.parent = 0;
    node.os_index = number(tag.value("numaid"));
    domain::Processor& processor = topology_.processor;
    processor.architecture = tag.value("arch");
    processor.vendor = tag.value("vendor");
    processor.family =
        tag.value("familyid").empty() ? domain::not_known : number(tag.value("familyid"));
    processor.model =
        tag.value("modelid").empty() ? domain::not_known : number(tag.value("modelid"));
    const auto added = add(std::move(node), tag);
    if (!added) {
        return unexpected(added.error());
    }
    way_.push_back(*added);
    return {};
}

Expected<void> Reader::open_pci(const XmlTag& tag) {
    const auto address = parse_pci_address(tag.value("busid"));
    if (!address) {
        return problem(tag, fmt::format("{} is no bus id", quoted(tag.value("busid"))));
    }
    TopologyObject object;
    object.parent = way_.back();
    object.address = *address;
    object.device_class = static_cast<std::uint16_t>(number(tag.value("class")) >> 8);
    object.vendor = static_cast<std::uint16_t>(number(tag.value("vendor")));
    object.device = static_cast<std::uint16_t>(number(tag.value("device")));
    object.uplink = link_of(tag);
    object.kind = object.device_class == bridge_class  ? ObjectKind::bridge
                  : (object.device_class >> 8) == 0x03 ? ObjectKind::gpu
                  : object.device_class == 0x0680      ? ObjectKind::nvswitch
                                                       : ObjectKind::nic;
    // NCCL keeps of a switch only its upstream port.
    object.is_switch = object.kind == ObjectKind::bridge;
    const auto added = add(std::move(object), tag);
    if (!added) {
        return unexpected(added.error());
    }
    if (!at_.emplace(*address, *added).second) {
        return problem(tag, fmt::format("there are two devices {}", tag.value("busid")));
    }
    way_.push_back(*added);
    return {};
}

Expected<void> Reader::open_nvlink(const XmlTag& tag) {
    const auto target = parse_pci_address(tag.value("target"));
    if (!target) {
        return problem(tag, fmt::format("{} is no bus id", quoted(tag.value("target"))));
    }
    const std::uint32_t gpu = way_.back();
    const std::uint32_t count = std::min(number(tag.value("count")), most_lanes);
    lanes_.push_back({gpu, *target, number(tag.value("tclass")) >> 8 == 0x0680,
                      nvlink_of(generations_[gpu]) * count});
    return lanes_.size() <= most_objects
               ? Expected<void>()
               : Expected<void>(problem(tag, fmt::format("more than {} NVLinks", most_objects)));
}

Expected<void> Reader::open(const XmlTag& tag) {
    if (tag.name == "cpu") {
        return open_cpu(tag);
    }
    if (tag.name == "pci") {
        return open_pci(tag);
    }
    const ObjectKind around = topology_.objects[way_.back()].kind;
    if (tag.name == "gpu") {
        if (around < ObjectKind::bridge) {
            return problem(tag, "a <gpu> outside of any <pci>");
        }
        topology_.objects[way_.back()].kind = ObjectKind::gpu;
        generations_[way_.back()] = number(tag.value("sm"));
    } else if (tag.name == "nvlink" && around == ObjectKind::gpu) {
        return open_nvlink(tag);
    }
    return {};
}

void Reader::list_devices() {
    for (const auto& [address, object] : at_) {
        const ObjectKind kind = topology_.objects[object].kind;
        std::uint32_t node = object;
        while (node != 0 && topology_.objects[node].kind != ObjectKind::numa_node) {
            node = topology_.objects[node].parent;
        }
        const std::uint32_t numa = node == 0 ? domain::not_known : topology_.objects[node].os_index;
        if (kind == ObjectKind::gpu) {
            topology_.gpus.push_back({object, numa, domain::not_known, no_object, {}});
        } else if (kind == ObjectKind::nic) {
            topology_.nics.push_back({object, numa, {}, {}});
        }
    }
}

// Each link stands at both of its ends, and once at a switch's.
void Reader::link_gpus() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Bandwidth> links;
    for (const Lanes& lanes : lanes_) {
        auto other = at_.find(lanes.target);
        if (other == at_.end() && lanes.is_switch) {
            TopologyObject nvswitch;
            nvswitch.kind = ObjectKind::nvswitch;
            nvswitch.parent = 0;
            nvswitch.address = lanes.target;
            topology_.objects.push_back(std::move(nvswitch));
            other = at_.emplace(lanes.target, topology_.objects.size() - 1).first;
        }
        if (other != at_.end() && other->second != lanes.gpu) {
            Bandwidth& known = links[std::minmax(lanes.gpu, other->second)];
            known = std::max(known, lanes.bandwidth);
        }
    }
    for (const auto& [ends, bandwidth] : links) {
        topology_.nvlinks.push_back({ends.first, ends.second, bandwidth, false});
    }
}

Expected<Topology> Reader::read() {
    bool is_system = false;
    for (;;) {
        auto next = tags_.next();
        if (!next) {
            return unexpected(next.error());
        }
        if (!*next) {
            break;
        }
        const XmlTag& tag = **next;
        is_system = is_system || tag.name == "system";
        if (!is_system) {
            return problem(tag,
                           "no <system>: this is no topology of NCCL's; it writes one to the "
                           "file that NCCL_TOPO_DUMP_FILE names");
        }
        if (tag.opens) {
            if (auto opened = open(tag); !opened) {
                return unexpected(opened.error());
            }
        }
        if (tag.closes && (tag.name == "cpu" || tag.name == "pci")) {
            way_.pop_back();
        }
    }
    list_devices();
    if (topology_.gpus.size() > most_gpus) {
        return wrong_use(fmt::format("more than {} GPUs", most_gpus));
    }
    link_gpus();
    model::find_paths(topology_);
    return std::move(topology_);
}

}  // namespace

Expected<Topology> read_nccl_dump(std::string_view xml) {
    if (xml.size() > most_text) {
        return wrong_use(fmt::format("is larger than {} bytes", most_text));
    }
    return Reader(xml).read();
}

}  // namespace hora::read
