// In which number format is each layer of a network computed, and how fast?
#pragma once

#include <array>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/layer_kind.hpp"
#include "libplanner/domain/plan.hpp"
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

// Can the device train in the workload's format? Frameworks store the 16-bit formats on any GPU,
// and compute in fp32 on those that lack them: sizes are those of the format, the rate is fp32's.
// There is no such way for fp8 (Transformer Engine refuses).
bool can_compute(const domain::Workload& workload, const domain::Device& device);

// Which types of the plan's GPUs compute in fp32 for want of the format that was stated; empty
// where none does.
std::string format_remark(const domain::Workload& workload, const domain::Plan& plan,
                          const domain::Cluster& cluster);

// Are its convolutions computed in tf32 without anybody having said so?
bool takes_tf32(const domain::Workload& workload, const domain::Device& device);

}  // namespace hora::cost
