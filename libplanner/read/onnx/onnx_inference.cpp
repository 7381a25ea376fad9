// What is known of an ONNX graph's tensors, node by node: their types, shapes and small numbers?
#include "libplanner/read/onnx/onnx_inference.hpp"

#include <fmt/core.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "libplanner/read/onnx/onnx_einsum.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TypeProto;

// In all of a graph's tensors: a large network has some ten thousand.
constexpr std::size_t most_kept = std::size_t{1} << 20;

constexpr std::size_t longest_problem = 200;

onnx::TensorShapeProto list_of(const Numbers& numbers) {
    onnx::TensorShapeProto list;
    for (const Numbers::Value& value : numbers.values) {
        auto& element = *list.add_dim();
        if (value) {
            element.set_dim_value(*value);
        }
    }
    return list;
}

// Of a convolution. The library reads as many extents of its input as its weights have.
void check_convolution(const onnx::InferenceContext& context) {
    if (context.getNumInputs() < 2) {
        throw OnnxMisfit(fmt::format("it needs an input and weights, and has {} of them",
                                     context.getNumInputs()));
    }
    if (!onnx::hasNInputShapes(context, 2)) {
        return;
    }
    const int input = context.getInputType(0)->tensor_type().shape().dim_size();
    const int weights = context.getInputType(1)->tensor_type().shape().dim_size();
    if (input < 2 || input != weights) {
        throw OnnxMisfit(
            fmt::format("its input has {} dimensions and its weights have {}; both need as many, "
                        "and at least 2",
                        input, weights));
    }
}

// What the library asks of a node's inputs. Since 1.13 it takes options before the lists; it is a
// template so that only the way that this release has is compiled.
template <typename Context = onnx::shape_inference::InferenceContextImpl>
Context context_of(NodeProto& node, const auto& types, const auto& data, auto* lists) {
    using Options = onnx::ShapeInferenceOptions;
    static const std::unordered_map<std::string, const onnx::SparseTensorProto*> none;
    if constexpr (std::is_constructible_v<Context, NodeProto&, decltype(types), decltype(data),
                                          decltype(none), Options, decltype(lists)>) {
        return Context(node, types, data, none, Options(), lists);
    } else {
        return Context(node, types, data, none, lists);
    }
}

// An LpPool has dilations since version 18 and an AveragePool since 19, as a MaxPool has had them
// before: the library of Debian 12 knows only those.
std::string schema_name(const NodeProto& node) {
    const std::string& name = node.op_type();
    const bool is_pool = name == "AveragePool" || name == "LpPool";
    return is_pool && find_attribute(node, "dilations") != nullptr ? "MaxPool" : name;
}

const TensorProto* constant_of(const NodeProto& node) {
    const auto* const value =
        node.op_type() == "Constant" ? find_attribute(node, "value") : nullptr;
    return value != nullptr && value->has_t() ? &value->t() : nullptr;
}

}  // namespace

std::string ShapeGaps::reason(const std::string& tensor) const {
    const auto found = find(tensor);
    return found ? reasons_[*found] : "";
}

std::optional<std::size_t> ShapeGaps::find(const std::string& tensor) const {
    const auto found = tensors_.find(tensor);
    return found == tensors_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t ShapeGaps::add_reason(std::string reason) {
    reasons_.push_back(std::move(reason));
    return reasons_.size() - 1;
}

OnnxInference::OnnxInference(onnx::GraphProto& graph, int version)
    : graph_(graph), version_(version) {
    for (const TensorProto& tensor : graph.initializer()) {
        initializer_types_.push_back(
            tensor_type(tensor.data_type(), {tensor.dims().begin(), tensor.dims().end()}));
        types_.emplace(tensor.name(), &initializer_types_.back());
        given_.insert(tensor.name());
        data_.emplace(tensor.name(), &tensor);
    }
    for (auto* const values :
         {graph.mutable_input(), graph.mutable_value_info(), graph.mutable_output()}) {
        for (onnx::ValueInfoProto& value : *values) {
            types_.emplace(value.name(), value.mutable_type());
        }
    }
    for (const onnx::ValueInfoProto& input : graph.input()) {
        given_.insert(input.name());
        if (lacks_numbers(input.name())) {
            number_gaps_.emplace(input.name(), gaps_.add_reason("it depends on the data of " +
                                                                quoted(input.name())));
        }
    }
}

void OnnxInference::look_at(NodeProto& node) {
    problem_.clear();
    attempt([&] { infer_types(node); });
    attempt([&] { infer_numbers(node); });
    find_reasons(node);
}

Numbers::Value OnnxInference::number_of(const std::string& name) {
    const Numbers* const numbers = find_numbers(name);
    return numbers == nullptr ? std::nullopt : numbers->single();
}

void OnnxInference::doubt(const NodeProto& branching) {
    has_doubts_ = true;
    for (const std::string& output : branching.output()) {
        TypeProto* const type = given_.contains(output) ? nullptr : find_type(output);
        if (type != nullptr && type->has_tensor_type()) {
            type->mutable_tensor_type()->clear_shape();
        }
    }
}

std::string OnnxInference::why_unknown(const std::string& name) const {
    const auto gap = number_gaps_.find(name);
    return gap == number_gaps_.end() ? "" : gaps_.reason(gap->second);
}

void OnnxInference::attempt(const std::function<void()>& infer) {
    try {
        infer();
    } catch (const std::runtime_error& error) {  // what the library throws of a misfit
        problem_ = problem_.empty() ? printable(error.what(), longest_problem) : problem_;
    }
}

void OnnxInference::infer_types(NodeProto& node) {
    if (const InferTypes infer = find_newer(node, version_)) {
        merge(node, infer(known_of(node)));
        return;
    }
    const auto& schemas = *onnx::OpSchemaRegistry::Instance();
    const onnx::OpSchema* const schema = schemas.GetSchema(schema_name(node), version_, "");
    if (schema == nullptr) {
        return;
    }
    auto context = context_of(node, types_, data_, &lists_);
    if (node.op_type() == "Conv" || node.op_type() == "ConvTranspose") {
        check_convolution(context);
    }
    if (schema->has_type_and_shape_inference_function()) {
        schema->GetTypeAndShapeInferenceFunction()(context);
    } else if (schema->HasFunction()) {
        onnx::shape_inference::InferShapeForFunctionNode(*schema->GetFunction(), &schemas, context);
    }
    if (node.op_type() == "Einsum") {
        infer_einsum(node);
    }
    for (int place = 0; place < node.output_size(); ++place) {
        merge(node.output(place), *context.getOutputType(static_cast<std::size_t>(place)));
    }
}

void OnnxInference::merge(const NodeProto& node, const Expected<OutputTypes>& types) {
    if (!types) {
        problem_ = types.error().message;
        return;
    }
    const std::size_t outputs = static_cast<std::size_t>(node.output_size());
    for (std::size_t place = 0; place < std::min(outputs, types->size()); ++place) {
        merge(node.output(static_cast<int>(place)), (*types)[place]);
    }
}

// The library says of an Einsum only how many dimensions its output has.
void OnnxInference::infer_einsum(const NodeProto& node) {
    std::vector<model::Shape> inputs;
    for (const std::string& input : node.input()) {
        const auto shape = known_shape(find_type(input));
        if (!shape) {
            return;
        }
        inputs.push_back(*shape);
    }
    const Expected<Einsum> einsum = read_einsum(node, inputs);
    if (einsum && node.output_size() > 0) {
        const TypeProto& first = *find_type(node.input(0));
        merge(node.output(0), tensor_type(first.tensor_type().elem_type(), einsum->output));
    }
}

KnownNode OnnxInference::known_of(const NodeProto& node) {
    KnownNode known{.node = node, .numbers = {}, .types = {}};
    for (const std::string& input : node.input()) {
        known.numbers.push_back(find_numbers(input));
        known.types.push_back(find_type(input));
    }
    return known;
}

void OnnxInference::infer_numbers(const NodeProto& node) {
    const TensorProto* const constant = constant_of(node);
    if (constant != nullptr && node.output_size() > 0 && !node.output(0).empty()) {
        data_.emplace(node.output(0), constant);
        return;
    }
    KnownNode known = known_of(node);
    for (int place = 0; place < node.output_size(); ++place) {
        known.output = static_cast<std::size_t>(place);
        auto numbers = node.output(place).empty() ? std::nullopt : fold(known);
        if (numbers) {
            add_numbers(node.output(place), std::move(*numbers));
        }
    }
}

void OnnxInference::add_numbers(const std::string& output, Numbers numbers) {
    const TypeProto type = tensor_type(numbers.type, numbers.extents);
    const bool is_whole = numbers.known().has_value();
    if (lacks_shape(output)) {
        merge(output, type);
    }
    if (!keep(output, std::move(numbers))) {
        return;
    }
    const Numbers& kept = numbers_.at(output);
    if (is_whole) {
        computed_data_.push_back(to_tensor(kept));
        data_.emplace(output, &computed_data_.back());
    } else if (kept.extents.size() == 1) {
        lists_.emplace(output, list_of(kept));
    }
}

// The first reason wins: what is behind an unknown shape or number is unknown for the same one.
void OnnxInference::find_reasons(const NodeProto& node) {
    std::optional<std::size_t> reason;
    for (const std::string& input : node.input()) {
        reason = reason ? reason : gaps_.find(input);
    }
    for (const std::string& input : node.input()) {
        const auto gap = number_gaps_.find(input);
        if (!reason && gap != number_gaps_.end()) {
            reason = gap->second;
        }
    }
    for (const std::string& output : node.output()) {
        const bool has_shape = !lacks_shape(output);
        if (output.empty() || (has_shape && !lacks_numbers(output))) {
            continue;
        }
        if (!reason) {
            reason = gaps_.add_reason(fmt::format(
                "it depends on operator {} of node {}, whose result is not known beforehand{}",
                quoted(node.op_type()), quoted(node.name()),
                problem_.empty() ? "" : ": " + problem_));
        }
        if (!has_shape) {
            gaps_.add(output, *reason);
        }
        if (lacks_numbers(output)) {
            number_gaps_.emplace(output, *reason);
        }
    }
}

void OnnxInference::merge(const std::string& name, const TypeProto& inferred) {
    if (name.empty() || inferred.value_case() == TypeProto::VALUE_NOT_SET) {
        return;
    }
    TypeProto* type = find_type(name);
    if (type == nullptr) {
        onnx::ValueInfoProto& value = *graph_.add_value_info();
        value.set_name(name);
        type = value.mutable_type();
        types_.emplace(name, type);
    }
    try {
        onnx::shape_inference::checkShapesAndTypes(inferred, *type);
    } catch (const std::runtime_error&) {
        if (!has_doubts_ || given_.contains(name) || !known_shape(&inferred) ||
            inferred.tensor_type().elem_type() != type->tensor_type().elem_type()) {
            throw;
        }
        *type->mutable_tensor_type() = inferred.tensor_type();
    }
    onnx::shape_inference::mergeShapesAndTypes(inferred, type);
}

bool OnnxInference::keep(const std::string& name, Numbers numbers) {
    if (kept_ + numbers.values.size() > most_kept) {
        return false;
    }
    kept_ += numbers.values.size();
    return numbers_.emplace(name, std::move(numbers)).second;
}

const Numbers* OnnxInference::find_numbers(const std::string& name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) {
        return &found->second;
    }
    const auto data = data_.find(name);
    auto numbers = data == data_.end() ? std::nullopt : numbers_of(*data->second);
    return numbers && keep(name, std::move(*numbers)) ? &numbers_.at(name) : nullptr;
}

TypeProto* OnnxInference::find_type(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : found->second;
}

bool OnnxInference::lacks_shape(const std::string& name) const {
    return !known_shape(find_type(name));
}

// Only whole numbers say how to reshape anything.
bool OnnxInference::lacks_numbers(const std::string& name) const {
    const TypeProto* const type = find_type(name);
    return type != nullptr && type->has_tensor_type() &&
           holds_whole_numbers(type->tensor_type().elem_type()) && !data_.contains(name);
}

}  // namespace hora::read
