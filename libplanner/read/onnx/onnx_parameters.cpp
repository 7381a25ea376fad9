// Which tensors of an ONNX graph are trained numbers, and which names mean the same ones?
#include "libplanner/read/onnx/onnx_parameters.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libplanner/model/measure.hpp"

namespace hora::read {
namespace {

using onnx::TensorProto;

// A network has a table or two and some hundred matrices; a hostile file gets no more looked at.
constexpr std::size_t most_looks = 1024;

using Names = std::unordered_set<std::string_view>;

// A number or a list of them that a Constant holds.
bool is_constant_list(const onnx::NodeProto& node) {
    if (node.op_type() != "Constant" || node.attribute_size() != 1 || node.output_size() != 1) {
        return false;
    }
    const onnx::AttributeProto& value = node.attribute(0);
    return value.name() == "value_int" || value.name() == "value_ints" ||
           (value.name() == "value" && value.t().dims_size() < 2);
}

// Names of whole numbers that are no table and do not depend on data.
Names find_constant_lists(const onnx::GraphProto& graph,
                          const OnnxGraph::Initializers& initializers) {
    Names names;
    for (const auto& [name, tensor] : initializers) {
        if (!tensor.holds_floats && tensor.shape->size() < 2) {
            names.insert(name);
        }
    }
    for (const onnx::NodeProto& node : graph.node()) {
        if (is_constant_list(node)) {
            names.insert(node.output(0));
        }
    }
    return names;
}

// All elements of the first input or some of them, elsewhere. A Gather by places that depend on
// data, or that are a batch of them, is an embedding: a step computes what it picks.
bool moves_elements(const onnx::NodeProto& node, const Names& constant_lists) {
    constexpr std::string_view types[] = {"Cast",     "DequantizeLinear", "Dropout",   "Flatten",
                                          "Identity", "QuantizeLinear",   "Reshape",   "Slice",
                                          "Split",    "Squeeze",          "Transpose", "Unsqueeze"};
    if (node.op_type() == "Gather") {
        return node.input_size() > 1 && constant_lists.contains(node.input(1));
    }
    return std::find(std::begin(types), std::end(types), node.op_type()) != std::end(types);
}

template <class Values>
bool differ(const Values& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

// Of elements of so many bytes.
bool differ(std::string_view bytes, std::size_t size) {
    return bytes.size() > size && bytes.substr(size) != bytes.substr(0, bytes.size() - size);
}

// Its extents and its data have been checked.
bool has_different_numbers(const TensorProto& tensor) {
    const std::uint64_t count =
        model::elements({tensor.dims().begin(), tensor.dims().end()}).value();
    if (count < 2) {
        return false;
    }
    // Of types of less than 8 bits pairs are compared.
    const std::size_t size = std::max<std::size_t>(1, tensor.raw_data().size() / count);
    return tensor.data_location() == TensorProto::EXTERNAL || differ(tensor.raw_data(), size) ||
           differ(tensor.float_data()) || differ(tensor.double_data()) ||
           differ(tensor.int32_data());
}

// PyTorch writes a GroupNorm by constants of ones and of zeros, which are not trained.
bool holds_weights(const onnx::NodeProto& node) {
    return node.op_type() == "Constant" && node.attribute_size() == 1 && node.output_size() == 1 &&
           node.attribute(0).has_t() && has_different_numbers(node.attribute(0).t());
}

constexpr std::string_view made_up = "onnx::";  // PyTorch's names of what has none

// The names of trained numbers, as far as they are known before a node.
class Parameters {
  public:
    Parameters(const onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers)
        : constant_lists_(find_constant_lists(graph, initializers)) {
        for (const auto& [name, tensor] : initializers) {
            if (!tensor.shape->empty()) {
                const std::string& held = tensor.copy_of.empty() ? name : tensor.copy_of;
                (tensor.holds_floats ? trained_ : whole_).emplace(name, held);
            }
        }
        find_equals(graph);
    }

    void look_at(const onnx::NodeProto& node) {
        if (equals_.contains(&node) && trained_.contains(node.input(0))) {
            trained_.emplace(node.output(0), node.output(0));
            return;
        }
        if (holds_weights(node)) {
            const bool is_float = holds_floats(node.attribute(0).t().data_type());
            (is_float ? trained_ : whole_).emplace(node.output(0), node.output(0));
        }
        if (node.input_size() == 0 || !moves_elements(node, constant_lists_)) {
            return;
        }
        if (node.op_type() == "DequantizeLinear") {
            take_scaled(node.input(0));
        }
        for (Tensors* const tensors : {&trained_, &whole_}) {
            const auto behind = tensors->find(node.input(0));
            if (behind != tensors->end()) {
                name_outputs(node, behind->second, *tensors);
                return;
            }
        }
    }

    std::unordered_map<std::string, std::string> trained() const {
        std::unordered_map<std::string, std::string> names;
        for (const auto& [name, held] : trained_) {
            names.emplace(name, held);
        }
        return names;
    }

  private:
    // By name, the name of the tensor that holds its elements: those of the graph and its
    // initializers.
    using Tensors = std::unordered_map<std::string_view, std::string_view>;

    // PyTorch writes tensors that hold the same numbers once, as those of layers that have not been
    // trained, and before all other nodes an Identity for each other one. It does so as well with
    // what it has made of a layer that is used several times: then all of them have names of its
    // own making.
    void find_equals(const onnx::GraphProto& graph) {
        bool is_any_named = false;
        for (const onnx::NodeProto& node : graph.node()) {
            if (node.op_type() != "Identity" || node.input_size() != 1 || node.output_size() != 1) {
                break;
            }
            is_any_named |= node.output(0).compare(0, made_up.size(), made_up) != 0;
            equals_.insert(&node);
        }
        if (!is_any_named) {
            equals_.clear();
        }
    }

    // Whole numbers that a node makes floats of, as quantised networks keep their weights.
    void take_scaled(const std::string& name) {
        const auto found = whole_.find(name);
        if (found != whole_.end()) {
            trained_.emplace(found->second, found->second);
            trained_.emplace(name, found->second);
        }
    }

    // The second output of a Dropout is its mask.
    static void name_outputs(const onnx::NodeProto& node, std::string_view tensor,
                             Tensors& tensors) {
        const int parts =
            node.op_type() == "Split" ? node.output_size() : std::min(1, node.output_size());
        for (int place = 0; place < parts; ++place) {
            tensors.emplace(node.output(place), tensor);
        }
    }

    Names constant_lists_;
    std::unordered_set<const onnx::NodeProto*> equals_;  // each of them another tensor
    Tensors trained_;
    Tensors whole_;  // that no node has made floats of so far
};

using Tensors = std::unordered_map<std::string_view, const TensorProto*>;

// Two-dimensional tensors with their bytes at hand.
Tensors find_matrices(const onnx::GraphProto& graph) {
    Tensors matrices;
    for (const TensorProto& tensor : graph.initializer()) {
        const auto& extents = tensor.dims();
        if (extents.size() == 2 && extents[0] > 1 && extents[1] > 1 && tensor.has_raw_data() &&
            holds_floats(tensor.data_type())) {
            matrices.emplace(tensor.name(), &tensor);
        }
    }
    return matrices;
}

bool is_transposed(const TensorProto& copy, const TensorProto& table) {
    if (copy.data_type() != table.data_type() || copy.dims(0) != table.dims(1) ||
        copy.dims(1) != table.dims(0) || copy.raw_data().size() != table.raw_data().size()) {
        return false;
    }
    const auto rows = static_cast<std::size_t>(table.dims(0));
    const auto columns = static_cast<std::size_t>(table.dims(1));
    const std::size_t size = table.raw_data().size() / rows / columns;
    if (size == 0 || size * rows * columns != table.raw_data().size()) {
        return false;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            if (std::memcmp(table.raw_data().data() + size * (row * columns + column),
                            copy.raw_data().data() + size * (column * rows + row), size) != 0) {
                return false;
            }
        }
    }
    return true;
}

// Those at a place of the inputs of an operator.
std::vector<const TensorProto*> read_by(const onnx::GraphProto& graph, const Tensors& matrices,
                                        std::string_view type, int place) {
    std::vector<const TensorProto*> found;
    for_each_node(graph.node(), [&](const onnx::NodeProto& node) {
        if (node.op_type() == type && place < node.input_size()) {
            const auto matrix = matrices.find(node.input(place));
            if (matrix != matrices.end()) {
                found.push_back(matrix->second);
            }
        }
    });
    return found;
}

}  // namespace

std::unordered_map<std::string, std::string> find_parameters(
    const onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers) {
    Parameters parameters(graph, initializers);
    for (const onnx::NodeProto& node : graph.node()) {
        parameters.look_at(node);
    }
    return parameters.trained();
}

std::unordered_set<std::string> find_fixed(const onnx::GraphProto& graph,
                                           const OnnxGraph::Initializers& initializers) {
    std::unordered_set<std::string> fixed;
    for (const auto& [name, tensor] : initializers) {
        fixed.insert(name);
    }
    for (const onnx::NodeProto& node : graph.node()) {
        const auto& inputs = node.input();
        const bool reads_any = std::any_of(inputs.begin(), inputs.end(),
                                           [](const auto& input) { return !input.empty(); });
        const bool is_fixed = std::all_of(
            inputs.begin(), inputs.end(),
            [&](const std::string& input) { return input.empty() || fixed.contains(input); });
        if (is_fixed && (reads_any || node.op_type() == "Constant")) {
            fixed.insert(node.output().begin(), node.output().end());
            fixed.erase("");
        }
    }
    return fixed;
}

std::unordered_map<std::string, std::string> find_transposed_copies(const onnx::GraphProto& graph) {
    std::unordered_map<std::string, std::string> copies;
    const Tensors matrices = find_matrices(graph);
    const std::vector<const TensorProto*> weights = read_by(graph, matrices, "MatMul", 1);
    std::size_t looks = 0;
    for (const TensorProto* const table : read_by(graph, matrices, "Gather", 0)) {
        for (const TensorProto* const copy : weights) {
            if (++looks > most_looks) {
                return copies;
            }
            // Of two that are each other's the first table is the one.
            const bool is_known = copies.contains(copy->name()) || copies.contains(table->name());
            if (!is_known && is_transposed(*copy, *table)) {
                copies.emplace(copy->name(), table->name());
            }
        }
    }
    return copies;
}

}  // namespace hora::read
