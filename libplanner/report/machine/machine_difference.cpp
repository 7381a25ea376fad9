// How is it reported whether NCCL saw the machine that a topology describes?
#include "libplanner/report/machine/machine_difference.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "libplanner/read/pci_address.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "libplanner/report/machine/ring_stops.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;
using read::format_pci_address;

std::string_view kind_of(const domain::GpuPath& path) {
    return domain::path_kind_names[static_cast<std::size_t>(path.kind)];
}

Json json_of(const domain::GpuPath& path) {
    return {{"kind", kind_of(path)}, {"bandwidth", known(path.bandwidth)}};
}

Json paths_json(const plan::MachineDifference& difference) {
    Json paths = Json::array();
    for (const plan::PathDifference& path : difference.paths) {
        paths.push_back({{"a", path.a},
                         {"b", path.b},
                         {"described", json_of(path.described)},
                         {"seen", json_of(path.seen)}});
    }
    return paths;
}

Json links_json(const plan::MachineDifference& difference) {
    Json links = Json::array();
    for (const plan::LinkDifference& link : difference.links) {
        links.push_back({{"busid", format_pci_address(link.device)},
                         {"described", known(link.described)},
                         {"seen", known(link.seen)}});
    }
    return links;
}

std::string switch_text(const std::optional<domain::PciAddress>& address) {
    return address ? "the switch " + format_pci_address(*address) : "no switch";
}

// "0000:83:00.0 (GPU 2)"
std::string device_text(const domain::PciAddress& address, const domain::Topology& machine) {
    for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
        if (machine.objects[machine.gpus[i].object].address == address) {
            return fmt::format("{} (GPU {})", format_pci_address(address), i);
        }
    }
    return format_pci_address(address) + " (switch)";
}

void add_devices(std::string& text, const plan::MachineDifference& difference,
                 const domain::Topology& machine) {
    const auto out = std::back_inserter(text);
    for (const std::uint32_t gpu : difference.unseen) {
        fmt::format_to(out, "  GPU {} ({}) was not seen by NCCL\n", gpu,
                       format_pci_address(machine.objects[machine.gpus[gpu].object].address));
    }
    for (const domain::PciAddress& address : difference.unknown) {
        fmt::format_to(out, "  NCCL saw a GPU {} that the topology lacks\n",
                       format_pci_address(address));
    }
    for (const plan::SwitchDifference& one : difference.switches) {
        fmt::format_to(out, "  GPU {} hangs on {}; NCCL saw {}\n", one.gpu,
                       switch_text(one.described), switch_text(one.seen));
    }
    for (const plan::LinkDifference& link : difference.links) {
        fmt::format_to(out, "  the link above {} has {}; NCCL saw {}\n",
                       device_text(link.device, machine), speed_text(link.described),
                       link.seen > Bandwidth(0) ? speed_text(link.seen) : "no speed");
    }
}

}  // namespace

std::string to_json(const plan::MachineDifference& difference, const domain::Topology& described) {
    Json unseen = Json::array();
    for (const std::uint32_t gpu : difference.unseen) {
        unseen.push_back(format_pci_address(described.objects[described.gpus[gpu].object].address));
    }
    Json unknown = Json::array();
    for (const domain::PciAddress& address : difference.unknown) {
        unknown.push_back(format_pci_address(address));
    }
    const Json object{{"version", 1},
                      {"same", difference.is_none()},
                      {"unseen", std::move(unseen)},
                      {"unknown", std::move(unknown)},
                      {"links", links_json(difference)},
                      {"paths", paths_json(difference)},
                      {"order", order_of(difference.ring)},
                      {"order_by_seen", order_of(difference.ring_by_seen)}};
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const plan::MachineDifference& difference, const domain::Topology& described) {
    if (difference.is_none()) {
        return fmt::format("NCCL saw the paths of the topology between all {} GPUs\n",
                           difference.gpus.size());
    }
    std::string text = "NCCL saw another machine\n";
    add_devices(text, difference, described);
    for (const plan::PathDifference& path : difference.paths) {
        fmt::format_to(std::back_inserter(text), "  {:>3} - {:<3}  {} {}; NCCL saw {} {}\n", path.a,
                       path.b, kind_of(path.described), speed_text(path.described.bandwidth),
                       kind_of(path.seen), speed_text(path.seen.bandwidth));
    }
    const std::string order = order_text(difference.ring);
    const std::string other = order_text(difference.ring_by_seen);
    return text + (order == other
                       ? fmt::format("  the predicted ring stays {}\n", order)
                       : fmt::format("  the ring would be {} in place of {}\n", other, order));
}

}  // namespace hora::report
