// Which extents do the labels of an Einsum's equation have?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/model/layer_spec.hpp"

namespace hora::read {

struct Einsum {
    std::map<char, std::uint64_t> extents;  // of each label; digits: behind an ellipsis
    model::Shape output;
};

// "bhid,bhjd->bhij", of inputs with these shapes; "...id,...jd->...ij" of up to 10 extents more.
// Fails where they do not match.
Expected<Einsum> read_einsum(const onnx::NodeProto& node, const std::vector<model::Shape>& inputs);

}  // namespace hora::read
