// Which machine did NCCL see, by the file that NCCL_TOPO_DUMP_FILE names?
#include "libplanner/read/nccl/nccl_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/format/xml_text.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::no_object;
using domain::ObjectKind;
using domain::PciAddress;
using domain::Topology;
using domain::TopologyObject;

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

// Empty where it is not there.
std::string_view value(const pugi::xml_node& tag, const char* attribute) {
    return tag.attribute(attribute).value();
}

// "16.0 GT/s PCIe" and 16 lanes. Virtual machines hide what their GPUs have: NCCL writes 0 lanes,
// or an empty text, and counts 16. Lanes that are left out it looks up in the machine itself: they
// are not known here, nor is a speed that is empty.
domain::PcieLink link_of(const pugi::xml_node& tag) {
    domain::PcieLink link;
    if (!tag.attribute("link_width")) {
        return link;
    }
    const std::string_view speed = value(tag, "link_speed");
    std::from_chars(speed.data(), speed.data() + speed.size(), link.gigatransfers);
    const std::uint32_t lanes = number(value(tag, "link_width"));
    link.lanes = lanes > 0 ? lanes : 16;
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
    explicit Reader(XmlText xml) : xml_(std::move(xml)) { topology_.objects.emplace_back(); }

    Expected<Topology> read();

  private:
    Expected<void> open(const pugi::xml_node& tag);
    Expected<void> open_cpu(const pugi::xml_node& tag);
    Expected<void> open_pci(const pugi::xml_node& tag);
    Expected<void> open_nvlink(const pugi::xml_node& tag);
    Expected<std::uint32_t> add(TopologyObject object, const pugi::xml_node& tag);
    void list_devices();
    void link_gpus();
    Expected<void> read_inside(const pugi::xml_node& tag);
    tl::unexpected<Error> problem(const pugi::xml_node& tag, std::string_view what) const {
        return wrong_use(fmt::format("line {}: {}", xml_.line_of(tag), what));
    }

    XmlText xml_;
    Topology topology_;
    std::vector<std::uint32_t> way_{0};  // objects around the tag that is read
    std::map<PciAddress, std::uint32_t> at_;
    std::map<std::uint32_t, std::uint32_t> generations_;  // of GPUs, by object
    std::vector<Lanes> lanes_;
};

Expected<std::uint32_t> Reader::add(TopologyObject object, const pugi::xml_node& tag) {
    if (topology_.objects.size() == most_objects) {
        return problem(tag, fmt::format("more than {} devices", most_objects));
    }
    topology_.objects.push_back(std::move(object));
    return static_cast<std::uint32_t>(topology_.objects.size() - 1);
}

Expected<void> Reader::open_cpu(const pugi::xml_node& tag) {
    TopologyObject node;
    node.kind = ObjectKind::numa_node;
    node.parent = 0;
    node.os_index = number(value(tag, "numaid"));
    domain::Processor& processor = topology_.processor;
    const auto architecture = value(tag, "arch");
    processor.architecture = architecture == "arm64" ? "aarch64" : architecture;  // as hwloc's
    processor.vendor = value(tag, "vendor");
    processor.family =
        value(tag, "familyid").empty() ? domain::not_known : number(value(tag, "familyid"));
    processor.model =
        value(tag, "modelid").empty() ? domain::not_known : number(value(tag, "modelid"));
    const auto added = add(std::move(node), tag);
    if (!added) {
        return unexpected(added.error());
    }
    way_.push_back(*added);
    return {};
}

Expected<void> Reader::open_pci(const pugi::xml_node& tag) {
    const auto address = parse_pci_address(value(tag, "busid"));
    if (!address) {
        return problem(tag, fmt::format("{} is no bus id", quoted(value(tag, "busid"))));
    }
    TopologyObject object;
    object.parent = way_.back();
    object.address = *address;
    object.device_class = static_cast<std::uint16_t>(number(value(tag, "class")) >> 8);
    object.vendor = static_cast<std::uint16_t>(number(value(tag, "vendor")));
    object.device = static_cast<std::uint16_t>(number(value(tag, "device")));
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
        return problem(tag, fmt::format("there are two devices {}", value(tag, "busid")));
    }
    way_.push_back(*added);
    return {};
}

Expected<void> Reader::open_nvlink(const pugi::xml_node& tag) {
    const auto target = parse_pci_address(value(tag, "target"));
    if (!target) {
        return problem(tag, fmt::format("{} is no bus id", quoted(value(tag, "target"))));
    }
    const std::uint32_t gpu = way_.back();
    const std::uint32_t count = std::min(number(value(tag, "count")), most_lanes);
    lanes_.push_back({gpu, *target, number(value(tag, "tclass")) >> 8 == 0x0680,
                      nvlink_of(generations_[gpu]) * count});
    return lanes_.size() <= most_objects
               ? Expected<void>()
               : Expected<void>(problem(tag, fmt::format("more than {} NVLinks", most_objects)));
}

Expected<void> Reader::open(const pugi::xml_node& tag) {
    const std::string_view name = tag.name();
    if (name == "cpu") {
        return open_cpu(tag);
    }
    if (name == "pci") {
        return open_pci(tag);
    }
    const ObjectKind around = topology_.objects[way_.back()].kind;
    if (name == "gpu") {
        if (around < ObjectKind::bridge) {
            return problem(tag, "a <gpu> outside of any <pci>");
        }
        topology_.objects[way_.back()].kind = ObjectKind::gpu;
        generations_[way_.back()] = number(value(tag, "sm"));
    } else if (name == "nvlink" && around == ObjectKind::gpu) {
        return open_nvlink(tag);
    }
    return {};
}

// As deep as XmlText lets it be.
Expected<void> Reader::read_inside(const pugi::xml_node& around) {
    for (const pugi::xml_node& tag : around.children()) {
        const std::size_t depth = way_.size();
        if (auto opened = open(tag); !opened) {
            return opened;
        }
        if (auto done = read_inside(tag); !done) {
            return done;
        }
        way_.resize(depth);
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
    const pugi::xml_node system = xml_.root();
    if (std::string_view(system.name()) != "system") {
        return problem(system,
                       "no <system>: this is no topology of NCCL's; it writes one to the "
                       "file that NCCL_TOPO_DUMP_FILE names");
    }
    if (auto done = read_inside(system); !done) {
        return unexpected(done.error());
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
    auto parsed = XmlText::parse(xml);
    if (!parsed) {
        return unexpected(parsed.error());
    }
    return Reader(std::move(*parsed)).read();
}

}  // namespace hora::read
