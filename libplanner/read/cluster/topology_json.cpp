// What does the JSON of `hora topology --json` say of a machine?
#include "libplanner/read/cluster/topology_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/cluster/topology_bounds.hpp"
#include "libplanner/read/cluster/topology_json_fields.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::no_object;
using domain::not_known;
using domain::ObjectKind;
using domain::Topology;
using domain::TopologyObject;

constexpr std::size_t max_size = std::size_t{16} << 20;

class Reader {
  public:
    explicit Reader(const nlohmann::json& document)
        : root_(document, "topology", JsonObject::only_one, problem_) {}

    Expected<Topology> read() {
        read_head();
        read_each("objects", max_topology_objects, &Reader::read_object);
        check_root();
        read_each("gpus", max_topology_gpus, &Reader::read_gpu);
        read_each("nics", max_topology_nics, &Reader::read_nic);
        check_devices();
        read_each("nvlinks", max_topology_nvlinks, &Reader::read_nvlink);
        read_each("cores", max_topology_cpus, &Reader::read_core);
        topology_.paths.resize(topology_.gpus.size() * topology_.gpus.size());
        read_each("links", max_topology_gpus * max_topology_gpus, &Reader::read_path);
        const std::size_t gpus = topology_.gpus.size();
        if (paths_ != gpus * (gpus - std::min<std::size_t>(gpus, 1)) / 2) {
            root_.reject("links", "are not one for each two GPUs");
        }
        root_.finish();
        return problem_.is_there() ? unexpected(problem_.error())
                                   : Expected<Topology>(std::move(topology_));
    }

  private:
    void read_each(const char* key, std::size_t most, void (Reader::*read_one)(JsonObject&)) {
        std::size_t index = 0;
        for (const auto& value : root_.list(key, most)) {
            if (problem_.is_there()) {
                return;
            }
            JsonObject item(value, key, index++, problem_);
            (this->*read_one)(item);
            item.finish();
        }
    }

    void read_head();
    void read_object(JsonObject& item);
    void check_root();
    std::uint32_t device(JsonObject& item, ObjectKind kind, std::size_t index);
    std::vector<std::uint32_t> cpus(JsonObject& item);
    std::uint32_t bridge(JsonObject& item);
    void read_gpu(JsonObject& item);
    void read_nic(JsonObject& item);
    void check_devices();
    void read_nvlink(JsonObject& item);
    void read_core(JsonObject& item);
    void read_path(JsonObject& item);

    JsonProblem problem_;
    JsonObject root_;
    Topology topology_;
    std::size_t listed_cpus_ = 0;
    std::size_t paths_ = 0;
};

void Reader::read_head() {
    if (const std::uint64_t version = root_.whole("version", 1000000); version != 1) {
        root_.reject("version", fmt::format("is {}, this reads 1", version));
    }
    topology_.host = root_.plain_text("host");
    topology_.sockets = whole(root_, "sockets");
    topology_.cores_per_socket = whole(root_, "cores_per_socket");
    topology_.threads_per_core = whole(root_, "threads_per_core");
    JsonObject item = root_.object("processor");
    domain::Processor& processor = topology_.processor;
    processor.architecture = item.plain_text("architecture");
    processor.vendor = item.plain_text("vendor");
    processor.name = item.plain_text("name");
    processor.family = item.count_or_null("family").value_or(not_known);
    processor.model = item.count_or_null("model").value_or(not_known);
    item.finish();
}

void Reader::read_object(JsonObject& item) {
    TopologyObject object;
    object.kind = static_cast<ObjectKind>(named(item, "kind", domain::object_kind_names));
    object.parent = item.count_or_null("parent").value_or(no_object);
    object.name = item.plain_text("name");
    object.os_index = whole(item, "os_index");
    object.address = address(item, "busid");
    object.device_class = static_cast<std::uint16_t>(item.whole("class", 0xffff));
    object.vendor = static_cast<std::uint16_t>(item.whole("vendor", 0xffff));
    object.device = static_cast<std::uint16_t>(item.whole("device", 0xffff));
    object.is_switch = item.flag("is_switch");
    JsonObject link = item.object("link");
    object.uplink.gigatransfers = link.number("gigatransfers", {0, 1024});
    object.uplink.lanes = whole(link, "lanes", 64);
    object.uplink.bandwidth = Bandwidth(link.number("bandwidth", {0, max_topology_bandwidth}));
    object.uplink.is_assumed = link.flag("assumed");
    object.uplink.is_usual = link.flag("usual");
    link.finish();
    const std::size_t own = topology_.objects.size();
    const bool is_first = own == 0;
    const bool is_machine = object.kind == ObjectKind::machine;
    if (is_first != is_machine || (is_first ? object.parent != no_object : object.parent >= own)) {
        item.reject("parent", "is not an earlier object, up to one machine at the start");
        return;
    }
    topology_.objects.push_back(std::move(object));
}

void Reader::check_root() {
    if (topology_.objects.empty()) {
        root_.reject("objects", "are none, not even the machine");
    }
}

// Devices come in the order of their addresses, and name their objects twice.
std::uint32_t Reader::device(JsonObject& item, ObjectKind kind, std::size_t index) {
    if (item.whole("index", max_topology_objects) != index) {
        item.reject("index", "is out of order");
    }
    const std::uint32_t object = item.index("object", topology_.objects.size());
    const domain::PciAddress own = address(item, "busid");
    item.plain_text("name");
    if (!problem_.is_there() &&
        (topology_.objects[object].kind != kind || topology_.objects[object].address != own)) {
        item.reject("object", "is another device");
    }
    return object;
}

std::vector<std::uint32_t> Reader::cpus(JsonObject& item) {
    std::vector<std::uint32_t> cpus = item.indices("cpus", max_topology_cpus);
    listed_cpus_ += cpus.size();
    if (listed_cpus_ > max_listed_cpus) {
        item.reject("cpus", "are listed too often");
    }
    return cpus;
}

std::uint32_t Reader::bridge(JsonObject& item) {
    const auto busid = item.text_or_null("switch", 32);
    if (!busid) {
        return no_object;
    }
    const auto known = parse_pci_address(*busid);
    const auto found = std::find_if(
        topology_.objects.begin(), topology_.objects.end(), [&](const TopologyObject& object) {
            return object.kind == ObjectKind::bridge && known && object.address == *known;
        });
    if (found == topology_.objects.end()) {
        item.reject("switch", fmt::format("is {}, where there is no switch", read::quoted(*busid)));
    }
    return static_cast<std::uint32_t>(found - topology_.objects.begin());
}

void Reader::read_gpu(JsonObject& item) {
    domain::TopologyGpu gpu;
    gpu.object = device(item, ObjectKind::gpu, topology_.gpus.size());
    gpu.numa = item.count_or_null("numa").value_or(not_known);
    gpu.socket = item.count_or_null("socket").value_or(not_known);
    gpu.bridge = bridge(item);
    gpu.cpus = cpus(item);
    topology_.gpus.push_back(std::move(gpu));
}

void Reader::read_nic(JsonObject& item) {
    domain::TopologyNic nic;
    nic.object = device(item, ObjectKind::nic, topology_.nics.size());
    nic.names = item.plain_texts("names", 64, 256);
    nic.numa = item.count_or_null("numa").value_or(not_known);
    nic.cpus = cpus(item);
    topology_.nics.push_back(std::move(nic));
}

void Reader::check_devices() {
    if (problem_.is_there()) {
        return;
    }
    const auto address_of = [&](const auto& device) {
        return topology_.objects[device.object].address;
    };
    const auto is_ascending = [&](const auto& devices) {
        return std::adjacent_find(devices.begin(), devices.end(),
                                  [&](const auto& a, const auto& b) {
                                      return address_of(a) >= address_of(b);
                                  }) == devices.end();
    };
    const auto count = [&](ObjectKind kind) {
        return static_cast<std::size_t>(
            std::count_if(topology_.objects.begin(), topology_.objects.end(),
                          [&](const TopologyObject& object) { return object.kind == kind; }));
    };
    if (!is_ascending(topology_.gpus) || count(ObjectKind::gpu) != topology_.gpus.size()) {
        root_.reject("gpus", "are not those of the objects, each once, by bus id");
    }
    if (!is_ascending(topology_.nics) || count(ObjectKind::nic) != topology_.nics.size()) {
        root_.reject("nics", "are not those of the objects, each once, by bus id");
    }
}

void Reader::read_nvlink(JsonObject& item) {
    domain::NvLink link;
    link.a = item.index("a", topology_.objects.size());
    link.b = item.index("b", topology_.objects.size());
    link.bandwidth = Bandwidth(item.number("bandwidth", {0, max_topology_bandwidth}));
    link.is_assumed = item.flag("assumed");
    const auto has_nvlink = [&](std::uint32_t object) {
        const ObjectKind kind = topology_.objects[object].kind;
        return kind == ObjectKind::gpu || kind == ObjectKind::nvswitch;
    };
    const std::vector<domain::NvLink>& links = topology_.nvlinks;
    const bool is_in_order =
        links.empty() || std::pair(links.back().a, links.back().b) < std::pair(link.a, link.b);
    if (!problem_.is_there() &&
        (link.a >= link.b || !has_nvlink(link.a) || !has_nvlink(link.b) || !is_in_order)) {
        item.reject("b", "makes no pair of a GPU and another or an NVSwitch, each once, in order");
    }
    topology_.nvlinks.push_back(link);
}

void Reader::read_core(JsonObject& item) {
    domain::TopologyCore core;
    core.socket = item.count_or_null("socket").value_or(not_known);
    core.numa = item.count_or_null("numa").value_or(not_known);
    core.cache = item.count_or_null("cache").value_or(not_known);
    core.cpus = cpus(item);
    topology_.cores.push_back(std::move(core));
}

void Reader::read_path(JsonObject& item) {
    const std::size_t gpus = topology_.gpus.size();
    const std::uint32_t a = item.index("a", gpus);
    const std::uint32_t b = item.index("b", gpus);
    domain::GpuPath path;
    path.kind = static_cast<domain::PathKind>(named(item, "kind", domain::path_kind_names));
    path.bandwidth = Bandwidth(item.number("bandwidth", {1, max_topology_bandwidth}));
    path.is_measured = item.flag("measured");
    if (problem_.is_there()) {
        return;
    }
    if (a >= b || topology_.path(a, b).bandwidth > Bandwidth(0)) {
        item.reject("b", "makes no new pair: each is there once, with a < b");
        return;
    }
    topology_.paths[a * gpus + b] = path;
    topology_.paths[b * gpus + a] = path;
    ++paths_;
}

}  // namespace

Expected<Topology> read_topology_json(std::string_view json) {
    const auto document = parse_object(json, max_size);
    if (!document) {
        return unexpected(document.error());
    }
    return Reader(*document).read();
}

}  // namespace hora::read
