// Which shapes have the tensors of an ONNX graph?
#include "libplanner/read/onnx/onnx_shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/reading_limits.hpp"
#include "libplanner/read/survival.hpp"

namespace hora::read {
namespace {

using onnx::NodeProto;

constexpr std::size_t longest_reason = 400;
constexpr std::int64_t latest_version = 1 << 20;  // above any, as the library's numbers are int

// Of ONNX's operators. Files of before version 3 of the format state none, and mean the first.
Expected<int> operators_version(const onnx::ModelProto& model) {
    for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
        if (set.domain().empty() || set.domain() == "ai.onnx") {
            return static_cast<int>(std::clamp<std::int64_t>(set.version(), 1, latest_version));
        }
    }
    constexpr std::int64_t first_that_states = 3;
    if (model.ir_version() >= first_that_states) {
        return failure(
            "it does not say which version of ONNX's operators it uses (opset_import); export it "
            "again");
    }
    return 1;
}

using Follow = std::function<void(std::uint32_t place)>;

// `follow` hears of each node before it is looked at.
ShapeGaps infer(onnx::ModelProto& model, int version, const Follow& follow) {
    onnx::GraphProto& graph = *model.mutable_graph();
    OnnxInference inference(graph, version);
    for (int place = 0; place < graph.node_size(); ++place) {
        follow(static_cast<std::uint32_t>(place));
        inference.look_at(*graph.mutable_node(place));
    }
    return inference.gaps();
}

tl::unexpected<Error> problem_of(const NodeProto& node, std::string_view problem) {
    return unexpected(Error{fmt::format("operator {}: {}", quoted(node.op_type()), problem)}.within(
        "node " + quoted(node.name())));
}

tl::unexpected<Error> out_of_memory_at(const NodeProto& node) {
    return problem_of(
        node, fmt::format("the ONNX library needs more memory for it than it may have, {} GiB at "
                          "most; check the number and the dimensions of its inputs",
                          most_memory >> 30));
}

// The library believes what a node says of itself, and crashes on some of it.
Expected<void> try_out(onnx::ModelProto& model, int version) {
    const Survival survival = survive([&](const Survival::Note& note) {
        try {
            infer(model, version, note);
        } catch (const std::exception&) {
        }
        return true;
    });
    if (survival.is_good) {
        return {};
    }
    if (!survival.place) {
        return failure(
            "its shapes cannot be inferred: the ONNX library crashes on it, or no process can be "
            "started to try that in");
    }
    const NodeProto& node = model.graph().node(static_cast<int>(*survival.place));
    if (survival.is_out_of_memory) {
        return out_of_memory_at(node);
    }
    return problem_of(
        node,
        "the ONNX library crashes on it, or takes more than 10 s; check the number and "
        "the dimensions of its inputs");
}

}  // namespace

// What does not fit is reported by exceptions of several kinds.
Expected<ShapeGaps> infer_shapes(onnx::ModelProto& model) {
    const Expected<int> version = operators_version(model);
    if (!version) {
        return unexpected(version.error());
    }
    if (const auto good = try_out(model, *version); !good) {
        return unexpected(good.error());
    }
    std::uint32_t place = 0;
    try {
        return infer(model, *version, [&](std::uint32_t next) { place = next; });
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return problem_of(model.graph().node(static_cast<int>(place)),
                          printable(error.what(), longest_reason));
    }
}

}  // namespace hora::read
