// Which shapes have the tensors of an ONNX graph, by the ONNX library?
#include "libplanner/read/model/onnx_shapes.hpp"

#include <fmt/core.h>
#include <onnx/shape_inference/implementation.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <unordered_map>
#include <utility>

#include "libplanner/read/model/onnx_schemas.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/reading_limits.hpp"
#include "libplanner/read/survival.hpp"

namespace hora::read {
namespace {

using onnx::NodeProto;
using onnx::OpSchema;

constexpr std::size_t longest_reason = 400;

// Says which node the library is about to look at. It asks for an operator by the name that stands
// in the node itself; the nodes of an operator's own definition are none of the graph's.
class FollowedSchemas : public onnx::ISchemaRegistry {
  public:
    FollowedSchemas(const onnx::GraphProto& graph, std::function<void(std::uint32_t)> follow)
        : follow_(std::move(follow)) {
        for (int place = 0; place < graph.node_size(); ++place) {
            places_.emplace(&graph.node(place).op_type(), static_cast<std::uint32_t>(place));
        }
    }

    const OpSchema* GetSchema(const std::string& name, const int version,
                              const std::string& domain) const override {
        if (const auto place = places_.find(&name); place != places_.end()) {
            follow_(place->second);
        }
        return onnx_schemas().GetSchema(name, version, domain);
    }

  private:
    std::unordered_map<const std::string*, std::uint32_t> places_;
    std::function<void(std::uint32_t)> follow_;
};

void infer(onnx::ModelProto& model, const std::function<void(std::uint32_t)>& follow) {
    const onnx::ShapeInferenceOptions options(false, 0, true);
    const FollowedSchemas schemas(model.graph(), follow);
    onnx::shape_inference::InferShapes(model, &schemas, options);
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
Expected<void> try_out(onnx::ModelProto& model) {
    const Survival survival = survive([&](const Survival::Note& note) {
        try {
            infer(model, note);
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
Expected<void> infer_shapes(onnx::ModelProto& model) {
    if (const auto good = try_out(model); !good) {
        return good;
    }
    std::uint32_t place = 0;
    try {
        infer(model, [&](std::uint32_t next) { place = next; });
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const OnnxMisfit& error) {
        return problem_of(model.graph().node(static_cast<int>(place)), error.what());
    } catch (const std::exception& error) {
        return failure("its shapes cannot be inferred: " + printable(error.what(), longest_reason));
    }
    return {};
}

}  // namespace hora::read
