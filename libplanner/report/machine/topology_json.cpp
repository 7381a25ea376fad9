// How is the inside of a machine shown to programs?
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/report/machine/topology.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;
using domain::ObjectKind;
using domain::Topology;
using domain::TopologyObject;

Json known(std::uint32_t number, std::uint32_t none) {
    return number == none ? Json(nullptr) : Json(number);
}

std::string busid_of(const Topology& topology, std::uint32_t object) {
    return read::format_pci_address(topology.objects[object].address);
}

Json link_json(const domain::PcieLink& link) {
    return {{"gigatransfers", link.gigatransfers},
            {"lanes", link.lanes},
            {"bandwidth", link.bandwidth.count()},
            {"assumed", link.is_assumed},
            {"usual", link.is_usual}};
}

Json object_json(const TopologyObject& object) {
    return {{"kind", domain::object_kind_names[static_cast<std::size_t>(object.kind)]},
            {"parent", known(object.parent, domain::no_object)},
            {"name", object.name},
            {"os_index", object.os_index},
            {"busid", read::format_pci_address(object.address)},
            {"class", object.device_class},
            {"vendor", object.vendor},
            {"device", object.device},
            {"is_switch", object.is_switch},
            {"link", link_json(object.uplink)}};
}

Json gpu_json(const Topology& topology, std::size_t index) {
    const domain::TopologyGpu& gpu = topology.gpus[index];
    return {{"index", index},
            {"busid", busid_of(topology, gpu.object)},
            {"name", topology.objects[gpu.object].name},
            {"numa", known(gpu.numa, domain::not_known)},
            {"socket", known(gpu.socket, domain::not_known)},
            {"switch", gpu.bridge == domain::no_object ? Json(nullptr)
                                                       : Json(busid_of(topology, gpu.bridge))},
            {"cpus", read::fold_ranges(gpu.cpus)},
            {"object", gpu.object}};
}

Json nic_json(const Topology& topology, std::size_t index) {
    const domain::TopologyNic& nic = topology.nics[index];
    return {{"index", index},
            {"busid", busid_of(topology, nic.object)},
            {"name", topology.objects[nic.object].name},
            {"names", nic.names},
            {"numa", known(nic.numa, domain::not_known)},
            {"cpus", read::fold_ranges(nic.cpus)},
            {"object", nic.object}};
}

Json links_json(const Topology& topology) {
    Json links = Json::array();
    for (std::size_t a = 0; a < topology.gpus.size(); ++a) {
        for (std::size_t b = a + 1; b < topology.gpus.size(); ++b) {
            const domain::GpuPath& path = topology.path(a, b);
            links.push_back({{"a", a},
                             {"b", b},
                             {"kind", domain::path_kind_names[static_cast<std::size_t>(path.kind)]},
                             {"bandwidth", path.bandwidth.count()},
                             {"measured", path.is_measured}});
        }
    }
    return links;
}

}  // namespace

std::string to_json(const Topology& topology) {
    const domain::Processor& processor = topology.processor;
    Json root = {{"version", 1},
                 {"host", topology.host},
                 {"sockets", topology.sockets},
                 {"cores_per_socket", topology.cores_per_socket},
                 {"threads_per_core", topology.threads_per_core},
                 {"processor",
                  {{"architecture", processor.architecture},
                   {"vendor", processor.vendor},
                   {"name", processor.name},
                   {"family", known(processor.family, domain::not_known)},
                   {"model", known(processor.model, domain::not_known)}}},
                 {"gpus", Json::array()},
                 {"nics", Json::array()},
                 {"links", links_json(topology)},
                 {"nvlinks", Json::array()},
                 {"cores", Json::array()},
                 {"objects", Json::array()}};
    for (std::size_t i = 0; i < topology.gpus.size(); ++i) {
        root["gpus"].push_back(gpu_json(topology, i));
    }
    for (std::size_t i = 0; i < topology.nics.size(); ++i) {
        root["nics"].push_back(nic_json(topology, i));
    }
    for (const domain::NvLink& link : topology.nvlinks) {
        root["nvlinks"].push_back({{"a", link.a},
                                   {"b", link.b},
                                   {"bandwidth", link.bandwidth.count()},
                                   {"assumed", link.is_assumed}});
    }
    for (const domain::TopologyCore& core : topology.cores) {
        root["cores"].push_back({{"socket", known(core.socket, domain::not_known)},
                                 {"numa", known(core.numa, domain::not_known)},
                                 {"cache", known(core.cache, domain::not_known)},
                                 {"cpus", read::fold_ranges(core.cpus)}});
    }
    for (const TopologyObject& object : topology.objects) {
        root["objects"].push_back(object_json(object));
    }
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
