// Which assumptions does the picture of a machine rest on?
#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"

#include "libplanner/report/machine/topology.hpp"

namespace hora::report {
namespace {

using domain::Topology;

constexpr std::string_view read_it = "read the machine itself with 'hora topology --local'";

// "GPU0, GPU1 and 6 more"
std::string listed(const std::vector<std::size_t>& gpus) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(gpus.size(), most); ++i) {
        text += fmt::format("{}GPU{}", i == 0 ? "" : ", ", gpus[i]);
    }
    return gpus.size() <= most ? text : fmt::format("{} and {} more", text, gpus.size() - most);
}

}  // namespace

std::vector<std::string> topology_remarks(const Topology& topology) {
    std::vector<std::string> remarks;
    std::vector<std::size_t> usual;
    for (std::size_t i = 0; i < topology.gpus.size(); ++i) {
        if (topology.objects[topology.gpus[i].object].uplink.is_usual) {
            usual.push_back(i);
        }
    }
    if (!usual.empty()) {
        remarks.push_back(
            fmt::format("the links of {} were idle or not seen, and count as such "
                        "GPUs usually have them; {}",
                        listed(usual), read_it));
    }
    const auto assumed = std::count_if(topology.objects.begin(), topology.objects.end(),
                                       [](const domain::TopologyObject& one) {
                                           return one.uplink.is_assumed && !one.uplink.is_usual;
                                       });
    if (assumed > 0) {
        remarks.push_back(
            fmt::format("rate and lanes of {} are assumed from the bandwidth; "
                        "{}",
                        counted(assumed, "link"), read_it));
    }
    if (std::any_of(topology.nvlinks.begin(), topology.nvlinks.end(),
                    [](const domain::NvLink& link) { return link.is_assumed; })) {
        const bool is_shown =
            std::none_of(topology.objects.begin(), topology.objects.end(), [](const auto& one) {
                return one.kind == domain::ObjectKind::nvswitch && one.vendor == 0;
            });
        remarks.push_back(
            is_shown ? "the NVLinks are assumed by the type of the GPUs, for there are "
                       "NVSwitches; where hwloc has NVML it knows them"
                     : "no NVLinks are shown, and they are assumed by the type of the GPUs, "
                       "which is on boards that join all of them; where hwloc has NVML it "
                       "knows them");
    }
    return remarks;
}

}  // namespace hora::report
