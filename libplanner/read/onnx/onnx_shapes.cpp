// Which shapes have the tensors of an ONNX graph?
#include "libplanner/read/onnx/onnx_shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/onnx/onnx_branches.hpp"
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

tl::unexpected<Error> problem_of(const NodeProto& node, std::string_view problem) {
    return unexpected(Error{fmt::format("operator {}: {}", quoted(node.op_type()), problem)}.within(
        "node " + quoted(node.name())));
}

using Follow = std::function<void(std::uint32_t place)>;

// In the place of an If stand the nodes of the branch that is taken.
class Walk {
  public:
    // `follow` hears of each node of the graph before it is looked at.
    Walk(onnx::GraphProto& graph, int version, const Follow& follow)
        : graph_(graph), follow_(follow), inference_(graph, version), branches_(graph) {}

    Expected<ShapeGaps> run();

  private:
    // Nodes stay where they are until all have been looked at: the inference knows where their
    // constants are.
    struct Branch {
        int place = 0;  // of its If
        Nodes nodes{};
        std::vector<Branch> inner{};
    };

    Expected<void> look_at(NodeProto& node, int place, std::vector<Branch>& taken);
    Expected<Branch> take_branch(NodeProto& node, int place);
    static void put(Nodes& nodes, std::vector<Branch>& taken, Nodes& into);

    onnx::GraphProto& graph_;
    const Follow& follow_;
    OnnxInference inference_;
    Branches branches_;
};

Expected<ShapeGaps> Walk::run() {
    std::vector<Branch> taken;
    for (int place = 0; place < graph_.node_size(); ++place) {
        follow_(static_cast<std::uint32_t>(place));
        if (const auto done = look_at(*graph_.mutable_node(place), place, taken); !done) {
            return unexpected(done.error());
        }
    }
    Nodes nodes;
    put(*graph_.mutable_node(), taken, nodes);
    graph_.mutable_node()->Swap(&nodes);
    return inference_.gaps();
}

// What does not fit is reported by exceptions of several kinds.
Expected<void> Walk::look_at(NodeProto& node, int place, std::vector<Branch>& taken) {
    if (node.op_type() != "If") {
        try {
            inference_.look_at(node);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            return problem_of(node, printable(error.what(), longest_reason));
        }
        return {};
    }
    Expected<Branch> branch = take_branch(node, place);
    if (!branch) {
        return unexpected(branch.error());
    }
    taken.push_back(std::move(*branch));
    return {};
}

Expected<Walk::Branch> Walk::take_branch(NodeProto& node, int place) {
    const std::string condition = node.input_size() > 0 ? node.input(0) : "";
    const Numbers::Value is_true = inference_.number_of(condition);
    if (!is_true) {
        const std::string reason = inference_.why_unknown(condition);
        return failure(
            fmt::format("node {}: the work of operator \"If\" cannot be counted: which branch it "
                        "takes is not known beforehand{}; export the network without it",
                        quoted(node.name()), reason.empty() ? "" : ": " + reason));
    }
    Expected<Nodes> nodes = branches_.take(node, *is_true != 0);
    if (!nodes) {
        return unexpected(nodes.error());
    }
    inference_.doubt(node);
    Branch branch{.place = place, .nodes = std::move(*nodes)};
    for (int inner = 0; inner < branch.nodes.size(); ++inner) {
        const auto done = look_at(*branch.nodes.Mutable(inner), inner, branch.inner);
        if (!done) {
            return unexpected(done.error());
        }
    }
    return branch;
}

void Walk::put(Nodes& nodes, std::vector<Branch>& taken, Nodes& into) {
    auto branch = taken.begin();
    for (int place = 0; place < nodes.size(); ++place) {
        if (branch != taken.end() && branch->place == place) {
            put(branch->nodes, branch->inner, into);
            ++branch;
        } else {
            into.Add(std::move(*nodes.Mutable(place)));
        }
    }
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
            static_cast<void>(Walk(*model.mutable_graph(), version, note).run());
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

Expected<ShapeGaps> infer_shapes(onnx::ModelProto& model) {
    const Expected<int> version = operators_version(model);
    if (!version) {
        return unexpected(version.error());
    }
    if (const auto good = try_out(model, *version); !good) {
        return unexpected(good.error());
    }
    const Follow unheard = [](std::uint32_t) {};
    return Walk(*model.mutable_graph(), *version, unheard).run();
}

}  // namespace hora::read
