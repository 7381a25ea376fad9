// In which number format is each layer of a network computed, and how fast?
#pragma once

#include <array>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/layer_kind.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// By LayerKind. A GPU that lacks one computes in fp32 (Device::computes_in).
using Formats = std::array<domain::DataType, domain::layer_kinds.size()>;

// The workload's type; without one what PyTorch does unless it is set
// (torch.backends.cudnn.allow_tf32): convolutions, and what stands between them, in tf32, and
// products of matrices in fp32.
Formats formats_of(const domain::Workload& workload);

struct Roofs {
    FlopRate peak;
    Bandwidth memory;
};

// What the device attains in these formats, by LayerKind.
std::array<Roofs, domain::layer_kinds.size()> attained_roofs(const Formats& formats,
                                                             const domain::Device& device);

// Are its convolutions computed in tf32 without anybody having said so?
bool takes_tf32(const domain::Workload& workload, const domain::Device& device);

}  // namespace hora::cost
