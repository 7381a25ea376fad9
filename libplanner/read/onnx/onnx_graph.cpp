// Which shapes and which parameters do the tensors of an ONNX graph have?
#include "libplanner/read/onnx/onnx_graph.hpp"

#include <fmt/core.h>

#include "libplanner/model/measure.hpp"
#include "libplanner/read/onnx/onnx_batch.hpp"
#include "libplanner/read/onnx/onnx_newer.hpp"
#include "libplanner/read/onnx/onnx_parameters.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;
using onnx::TensorProto;

// What says how to reshape, slice or resize is shorter than this.
constexpr std::uint64_t longest_setting = 4096;

// How a tensor holds its elements, where it does so in itself.
struct Element {
    std::size_t bytes = 0;  // 0: never as bytes
    int held = 0;           // numbers in the field of its type
    int numbers = 1;        // of them for each element
};

std::optional<Element> element_of(const TensorProto& proto) {
    switch (proto.data_type()) {
        case TensorProto::BOOL:
        case TensorProto::INT8:
        case TensorProto::UINT8:
            return Element{.bytes = 1, .held = proto.int32_data_size()};
        case TensorProto::FLOAT16:
        case TensorProto::BFLOAT16:
        case TensorProto::INT16:
        case TensorProto::UINT16:
            return Element{.bytes = 2, .held = proto.int32_data_size()};
        case TensorProto::INT32:
            return Element{.bytes = 4, .held = proto.int32_data_size()};
        case TensorProto::FLOAT:
            return Element{.bytes = 4, .held = proto.float_data_size()};
        case TensorProto::COMPLEX64:
            return Element{.bytes = 8, .held = proto.float_data_size(), .numbers = 2};
        case TensorProto::DOUBLE:
            return Element{.bytes = 8, .held = proto.double_data_size()};
        case TensorProto::COMPLEX128:
            return Element{.bytes = 16, .held = proto.double_data_size(), .numbers = 2};
        case TensorProto::INT64:
            return Element{.bytes = 8, .held = proto.int64_data_size()};
        case TensorProto::UINT32:
            return Element{.bytes = 4, .held = proto.uint64_data_size()};
        case TensorProto::UINT64:
            return Element{.bytes = 8, .held = proto.uint64_data_size()};
        case TensorProto::STRING:
            return Element{.held = proto.string_data_size()};
        default:
            return std::nullopt;
    }
}

bool has_numbers(const TensorProto& proto) {
    return !proto.float_data().empty() || !proto.int32_data().empty() ||
           !proto.int64_data().empty() || !proto.double_data().empty() ||
           !proto.uint64_data().empty() || !proto.string_data().empty();
}

OnnxTensor tensor_of(const onnx::ValueInfoProto& value) {
    return {.shape = known_shape(&value.type()),
            .holds_floats = holds_floats(value.type().tensor_type().elem_type())};
}

Expected<OnnxTensor> tensor_of(const TensorProto& proto) {
    OnnxTensor tensor{.shape = Shape{}, .holds_floats = holds_floats(proto.data_type())};
    for (const std::int64_t extent : proto.dims()) {
        if (extent < 0) {
            return failure(fmt::format("tensor {} has a negative extent", quoted(proto.name())));
        }
        tensor.shape->push_back(static_cast<std::uint64_t>(extent));
    }
    return tensor;
}

// Values that the shape inference may look at must be whole: it trusts them.
Expected<void> check_data(const TensorProto& proto, Count elements) {
    const std::optional<Element> element = element_of(proto);
    if (!element) {  // of a later version of ONNX, as those of 8 and 4 bits
        return elements > Count(longest_setting) || !proto.has_raw_data()
                   ? Expected<void>()
                   : failure(fmt::format("tensor {} is of type {}, which is not known",
                                         quoted(proto.name()), proto.data_type()));
    }
    if (proto.has_raw_data() &&
        Count(proto.raw_data().size()) != elements * Count(element->bytes)) {
        return failure(fmt::format("tensor {} does not hold as many bytes as its extents say",
                                   quoted(proto.name())));
    }
    if (!proto.has_raw_data() && has_numbers(proto) &&
        Count(static_cast<std::uint64_t>(element->held)) !=
            elements * Count(static_cast<std::uint64_t>(element->numbers))) {
        return failure(fmt::format("tensor {} does not hold as many numbers as its extents say",
                                   quoted(proto.name())));
    }
    return {};
}

// A stand-in for an initializer whose values are gone: its type and extents, as an input.
void declare_input(onnx::GraphProto& graph, const TensorProto& proto) {
    onnx::ValueInfoProto& value = *graph.add_input();
    value.set_name(proto.name());
    onnx::TypeProto_Tensor& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(proto.data_type());
    type.mutable_shape();
    for (const std::int64_t extent : proto.dims()) {
        type.mutable_shape()->add_dim()->set_dim_value(extent);
    }
}

void forget_inputs(onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers) {
    google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
    for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
        if (!initializers.contains(input.name())) {
            inputs.Add(std::move(input));
        }
    }
    graph.mutable_input()->Swap(&inputs);
}

class InputFixer {
  public:
    explicit InputFixer(const model::NetworkOptions& options) : options_(options) {}

    Expected<void> fix(onnx::ValueInfoProto& input, std::size_t batch_place);
    Expected<FixedInputs> fixed() const;

  private:
    void fix_batch(onnx::TensorShapeProto_Dimension& extent);
    Expected<void> fix_sequence(const std::string& input, onnx::TensorShapeProto_Dimension& extent);

    const model::NetworkOptions& options_;
    FixedInputs fixed_;
    bool has_sequence_ = false;
};

bool is_fixed(const onnx::TensorShapeProto_Dimension& extent) {
    return extent.has_dim_value() && extent.dim_value() > 0;
}

Expected<void> InputFixer::fix(onnx::ValueInfoProto& input, std::size_t batch_place) {
    if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape()) {
        return failure(
            fmt::format("input {} has no known shape; export it with one", quoted(input.name())));
    }
    onnx::TensorShapeProto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (int place = 0; place < shape.dim_size(); ++place) {
        onnx::TensorShapeProto_Dimension& extent = *shape.mutable_dim(place);
        if (static_cast<std::size_t>(place) == batch_place) {
            fix_batch(extent);
        } else if (const auto fixed = fix_sequence(input.name(), extent); !fixed) {
            return fixed;
        }
    }
    return {};
}

void InputFixer::fix_batch(onnx::TensorShapeProto_Dimension& extent) {
    if (!is_fixed(extent)) {
        extent.set_dim_value(1);
        fixed_.had_dynamic_batch = true;
    }
}

Expected<void> InputFixer::fix_sequence(const std::string& input,
                                        onnx::TensorShapeProto_Dimension& extent) {
    if (is_fixed(extent)) {
        return {};
    }
    if (!options_.sequence) {
        return wrong_use(
            fmt::format("input {} has a dynamic extent {}; say how long it is with "
                        "--sequence",
                        quoted(input), quoted(extent.dim_param())));
    }
    has_sequence_ = true;
    extent.set_dim_value(static_cast<std::int64_t>(std::min(*options_.sequence, Count::top)));
    return {};
}

Expected<FixedInputs> InputFixer::fixed() const {
    if (options_.sequence && !has_sequence_) {
        return wrong_use("the network has no dynamic sequence length; leave --sequence out");
    }
    return fixed_;
}

}  // namespace

bool holds_floats(std::int32_t type) {
    switch (type) {
        case TensorProto::UNDEFINED:
        case TensorProto::FLOAT:
        case TensorProto::FLOAT16:
        case TensorProto::BFLOAT16:
        case TensorProto::DOUBLE:
            return true;
        default:
            return false;
    }
}

OnnxGraph::OnnxGraph(const onnx::GraphProto& graph, Initializers initializers, ShapeGaps gaps)
    : tensors_(std::move(initializers)),
      gaps_(std::move(gaps)),
      parameters_(find_parameters(graph, tensors_)),
      fixed_(find_fixed(graph, tensors_)) {
    for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()}) {
        for (const onnx::ValueInfoProto& value : *values) {
            tensors_.emplace(value.name(), tensor_of(value));
        }
    }
}

const OnnxTensor* OnnxGraph::find(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
}

std::string OnnxGraph::why_unknown(const std::string& name) const {
    const std::string reason = gaps_.reason(name);
    return reason.empty() ? ""
                          : ": " + reason +
                                "; export the network with fixed extents, or without what "
                                "depends on data";
}

const OnnxTensor* OnnxGraph::take_parameter(const std::string& name) {
    const auto parameter = parameters_.find(name);
    if (parameter == parameters_.end() || !counted_.insert(parameter->second).second) {
        return nullptr;
    }
    const OnnxTensor* const tensor = find(parameter->second);
    return tensor != nullptr && tensor->shape ? tensor : nullptr;
}

Expected<void> check_constants(const Nodes& nodes) {
    for (const onnx::NodeProto& node : nodes) {
        for (const onnx::AttributeProto& attribute : node.attribute()) {
            if (!attribute.has_t()) {
                continue;
            }
            const Expected<OnnxTensor> tensor = tensor_of(attribute.t());
            if (!tensor) {
                return unexpected(tensor.error());
            }
            if (const auto good = check_data(attribute.t(), model::elements(*tensor->shape));
                !good) {
                return good;
            }
        }
    }
    return {};
}

Expected<OnnxGraph::Initializers> strip_initializers(onnx::GraphProto& graph) {
    if (const Expected<void> checked = check_constants(graph.node()); !checked) {
        return unexpected(checked.error());
    }
    const auto copies = find_transposed_copies(graph);
    OnnxGraph::Initializers initializers;
    google::protobuf::RepeatedPtrField<TensorProto> all;
    all.Swap(graph.mutable_initializer());
    for (TensorProto& proto : all) {
        Expected<OnnxTensor> tensor = tensor_of(proto);
        if (!tensor) {
            return unexpected(tensor.error());
        }
        if (const auto copy = copies.find(proto.name()); copy != copies.end()) {
            tensor->copy_of = copy->second;
        }
        if (!initializers.emplace(proto.name(), *tensor).second) {
            return failure(fmt::format("there are two tensors {}", quoted(proto.name())));
        }
    }
    forget_inputs(graph, initializers);
    for (TensorProto& proto : all) {
        const Count count = model::elements(*initializers.at(proto.name()).shape);
        const bool is_elsewhere = proto.data_location() == TensorProto::EXTERNAL;
        if (const auto good = is_elsewhere ? Expected<void>() : check_data(proto, count); !good) {
            return unexpected(good.error());
        }
        if (is_elsewhere || count > Count(longest_setting)) {
            declare_input(graph, proto);
            continue;
        }
        graph.add_initializer()->Swap(&proto);
    }
    return initializers;
}

Expected<FixedInputs> fix_inputs(onnx::GraphProto& graph,
                                 const OnnxGraph::Initializers& initializers,
                                 const model::NetworkOptions& options) {
    const auto batch_places = find_batch_places(graph, initializers);
    InputFixer fixer(options);
    for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
        if (initializers.contains(input.name())) {
            continue;
        }
        const auto known = batch_places.find(input.name());
        const std::size_t batch_place = known == batch_places.end() ? 0 : known->second;
        if (const Expected<void> fixed = fixer.fix(input, batch_place); !fixed) {
            return unexpected(fixed.error());
        }
    }
    return fixer.fixed();
}

}  // namespace hora::read
