// In which number format is each layer of a network computed, and how fast?
#include "libplanner/cost/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hora::cost {
namespace {

using domain::DataType;
using domain::LayerKind;

bool has_convolutions(const domain::Workload& workload) {
    return std::any_of(workload.layers.begin(), workload.layers.end(),
                       [](const domain::LayerCost& layer) {
                           return layer.mac > 0 && (layer.kind == LayerKind::convolution ||
                                                    layer.kind == LayerKind::grouped_convolution);
                       });
}

bool has_format(const domain::Workload& workload, const domain::Device& device) {
    return !workload.data_type || device.computes_in(*workload.data_type) == *workload.data_type;
}

}  // namespace

Formats formats_of(const domain::Workload& workload) {
    Formats formats;
    formats.fill(workload.data_type.value_or(DataType::fp32));
    if (!workload.data_type && has_convolutions(workload)) {
        for (const LayerKind kind :
             {LayerKind::convolution, LayerKind::grouped_convolution, LayerKind::memory}) {
            formats[static_cast<std::size_t>(kind)] = DataType::tf32;
        }
    }
    return formats;
}

std::array<Roofs, domain::layer_kinds.size()> attained_roofs(const Formats& formats,
                                                             const domain::Device& device) {
    std::array<Roofs, domain::layer_kinds.size()> roofs;
    for (std::size_t kind = 0; kind < roofs.size(); ++kind) {
        roofs[kind] = {device.attained_peak(formats[kind], static_cast<LayerKind>(kind)),
                       device.attained_bandwidth(formats[kind])};
    }
    return roofs;
}

bool can_compute(const domain::Workload& workload, const domain::Device& device) {
    return has_format(workload, device) || workload.data_type != DataType::fp8;
}

std::string format_remark(const domain::Workload& workload, const domain::Plan& plan,
                          const domain::Cluster& cluster) {
    std::string types;
    for (const domain::DeviceUse& use : plan.devices) {
        const domain::Device& device = cluster.devices[use.device];
        if (!has_format(workload, device)) {
            types += fmt::format("{}{} has no {}", types.empty() ? "" : ", ", device.name,
                                 domain::info(*workload.data_type).name);
        }
    }
    return types.empty() ? types : types + ": computed in fp32";
}

bool takes_tf32(const domain::Workload& workload, const domain::Device& device) {
    return !workload.data_type && device.computes_in(DataType::tf32) == DataType::tf32 &&
           has_convolutions(workload);
}

}  // namespace hora::cost
