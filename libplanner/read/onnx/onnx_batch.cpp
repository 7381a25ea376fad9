// Which extent of each input of an ONNX graph is the batch, and how large is it?
#include "libplanner/read/onnx/onnx_batch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/model/measure.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_folding.hpp"
#include "libplanner/read/onnx/onnx_parameters.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;
using onnx::NodeProto;

using Place = std::optional<std::size_t>;

// Their first input is [batch, channels, ...].
constexpr std::array channels_second{std::string_view("Conv"),
                                     std::string_view("ConvTranspose"),
                                     std::string_view("MaxPool"),
                                     std::string_view("AveragePool"),
                                     std::string_view("GlobalMaxPool"),
                                     std::string_view("GlobalAveragePool"),
                                     std::string_view("BatchNormalization")};
// Look at the same elements by other extents.
constexpr std::array reshapes{std::string_view("Reshape"), std::string_view("Flatten"),
                              std::string_view("Squeeze"), std::string_view("Unsqueeze")};
// Leave the places of their one input's extents as they are.
constexpr std::array keeping{std::string_view("Identity"), std::string_view("Cast"),
                             std::string_view("Dropout"),  std::string_view("Relu"),
                             std::string_view("Tanh"),     std::string_view("LayerNormalization")};
// These too, unless a constant has more extents, which then stand before those of the input; MatMul
// those of its first input.
constexpr std::array spreading{std::string_view("Add"), std::string_view("Sub"),
                               std::string_view("Mul"), std::string_view("Div"),
                               std::string_view("MatMul")};
// Have as many extents as their inputs: of what constants are made.
constexpr std::array preparing{std::string_view("Transpose"), std::string_view("DequantizeLinear"),
                               std::string_view("Sqrt"), std::string_view("Pow"),
                               std::string_view("Reciprocal")};
// Operators have few outputs, or alike ones (Split); a hostile file gets no more looked at.
constexpr int most_outputs = 64;

bool is_among(const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::int64_t integer_of(const NodeProto& node, std::string_view attribute, std::int64_t usual) {
    const onnx::AttributeProto* const found = find_attribute(node, attribute);
    return found == nullptr ? usual : found->i();
}

// An extent that is divided among several, or joined with others to one, has the batch in front.
bool may_hold_batch(std::uint64_t from, std::uint64_t to) {
    return (from > 0 && to % from == 0) || (to > 1 && from % to == 0);
}

// The place in `from` of what is at `place` of `to`, which has the same elements in the same order.
Place reshaped_from(const Shape& from, const Shape& to, std::size_t place) {
    Count wanted(1);
    for (std::size_t i = 0; i < place; ++i) {
        wanted *= Count(to[i]);
    }
    Place holds;
    Count before(1);
    for (std::size_t i = 0; i < from.size() && before <= wanted; ++i) {
        if (before == wanted && from[i] == to[place]) {
            return i;
        }
        // The last extent has features, which are divided among heads.
        const bool is_last = i + 1 == from.size();
        if (before == wanted && !holds && !is_last && may_hold_batch(from[i], to[place])) {
            holds = i;
        }
        before *= Count(from[i]);
    }
    return holds;
}

bool has_shape(const onnx::ValueInfoProto& value) {
    return value.type().has_tensor_type() && value.type().tensor_type().has_shape();
}

using Ranks = std::unordered_map<std::string, std::size_t>;

std::optional<std::size_t> rank_of_output(const NodeProto& node, const Ranks& ranks) {
    const std::string& type = node.op_type();
    if (type == "Constant") {
        const onnx::AttributeProto* const value = find_attribute(node, "value");
        return value == nullptr ? 1 : static_cast<std::size_t>(value->t().dims_size());
    }
    const bool is_gather = type == "Gather" && node.input_size() == 2;
    if (!is_gather && !is_among(keeping, type) && !is_among(spreading, type) &&
        !is_among(preparing, type)) {
        return {};
    }
    std::size_t most = 0;
    std::size_t all = 0;
    for (const std::string& input : node.input()) {
        const auto found = ranks.find(input);
        if (found == ranks.end()) {
            return {};
        }
        most = std::max(most, found->second);
        all += found->second;
    }
    // The extents of the indices stand in the place of one.
    return is_gather && all > 0 ? all - 1 : most;
}

// By names, how many extents tensors have; of nodes' outputs where it is the most that their inputs
// have, of embeddings, and of constants at most so many.
Ranks find_ranks(const onnx::GraphProto& graph) {
    Ranks ranks;
    for (const auto* const values : {&graph.input(), &graph.value_info()}) {
        for (const onnx::ValueInfoProto& value : *values) {
            if (has_shape(value)) {
                ranks.emplace(value.name(), value.type().tensor_type().shape().dim_size());
            }
        }
    }
    for (const onnx::TensorProto& tensor : graph.initializer()) {
        ranks.emplace(tensor.name(), tensor.dims_size());
    }
    for (const NodeProto& node : graph.node()) {
        if (const auto rank = rank_of_output(node, ranks); rank && node.output_size() > 0) {
            ranks.emplace(node.output(0), *rank);
        }
    }
    return ranks;
}

// What the operators of a graph say of the batch: goes from each node to those before it.
class BatchTrace {
  public:
    using ShapeOf = std::function<const Shape*(const std::string& name)>;
    using IsFixed = std::function<bool(const std::string& name)>;

    // `shape_of` is null for what is not known.
    BatchTrace(ShapeOf shape_of, IsFixed is_fixed)
        : shape_of_(std::move(shape_of)), is_fixed_(std::move(is_fixed)) {}

    void follow(const onnx::GraphProto& graph);
    Place place(const std::string& name) const;

  private:
    void look(const NodeProto& node);
    void look_at_recurrent(const NodeProto& node);
    void look_at_product(const NodeProto& node);
    void pass(const NodeProto& node, const std::string& output, std::size_t place);
    std::optional<int> kept_input(const NodeProto& node) const;
    bool is_kept(const NodeProto& node, int input) const;
    Place source_of_transpose(const NodeProto& node, const Shape* to, std::size_t place) const;
    Place source_of_gather(const NodeProto& node, int input, std::size_t place);
    Place source_by_shapes(const NodeProto& node, int input, const Shape& to, std::size_t place);
    void say(const NodeProto& node, int input, Place place);

    ShapeOf shape_of_;
    IsFixed is_fixed_;
    Ranks ranks_;
    std::unordered_map<std::string, Place> places_;  // empty: operators differ
};

void BatchTrace::follow(const onnx::GraphProto& graph) {
    ranks_ = find_ranks(graph);
    std::vector<const NodeProto*> all;
    for_each_node(graph.node(), [&](const NodeProto& node) { all.push_back(&node); });
    std::for_each(all.rbegin(), all.rend(), [&](const NodeProto* node) { look(*node); });
}

Place BatchTrace::place(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? Place() : found->second;
}

void BatchTrace::say(const NodeProto& node, int input, Place place) {
    if (!place || input >= node.input_size() || node.input(input).empty() ||
        is_fixed_(node.input(input))) {
        return;
    }
    const auto [said, is_new] = places_.emplace(node.input(input), place);
    if (!is_new && said->second != place) {
        said->second.reset();
    }
}

void BatchTrace::look(const NodeProto& node) {
    for (int i = 0; i < std::min(most_outputs, node.output_size()); ++i) {
        const std::string& output = node.output(i);
        if (const Place found = place(output); found && !output.empty()) {
            pass(node, output, *found);
        }
    }
    const std::string& type = node.op_type();
    if (type == "LSTM" || type == "GRU" || type == "RNN") {
        look_at_recurrent(node);
    } else if (is_among(channels_second, type)) {
        say(node, 0, 0);
    } else if (type == "Attention") {
        for (const int input : {0, 1, 2, 4, 5}) {  // query, key, value and those of the past
            say(node, input, 0);
        }
    } else if (type == "MatMul") {
        look_at_product(node);
    }
}

// X has the positions first and the batch after them, the states their directions, unless the
// layout (since version 14) says otherwise.
void BatchTrace::look_at_recurrent(const NodeProto& node) {
    constexpr int lengths = 4;
    const std::size_t place = integer_of(node, "layout", 0) == 1 ? 0 : 1;
    for (const int input : {0, 5, 6}) {  // X, initial_h, initial_c
        say(node, input, place);
    }
    say(node, lengths, 0);
}

// Products of what both depends on the samples, as of queries and keys, are of one sample each.
void BatchTrace::look_at_product(const NodeProto& node) {
    if (node.input_size() != 2 || is_fixed_(node.input(0)) || is_fixed_(node.input(1))) {
        return;
    }
    const Shape* const one = shape_of_(node.input(0));
    const Shape* const other = shape_of_(node.input(1));
    if (one != nullptr && other != nullptr && one->size() >= 3 && one->size() == other->size() &&
        one->front() == other->front()) {
        say(node, 0, 0);
        say(node, 1, 0);
    }
}

void BatchTrace::pass(const NodeProto& node, const std::string& output, std::size_t place) {
    const Shape* const to = shape_of_(output);
    if (node.op_type() == "Gather") {
        for (const int input : {0, 1}) {
            say(node, input, source_of_gather(node, input, place));
        }
    } else if (node.op_type() == "Transpose") {
        say(node, 0, source_of_transpose(node, to, place));
    } else if (to != nullptr) {
        for (int input = 0; input < node.input_size(); ++input) {
            say(node, input, source_by_shapes(node, input, *to, place));
        }
    } else if (const auto input = kept_input(node)) {
        say(node, *input, place);
    }
}

// The one input that is not fixed, where its extents have the same places in the output.
std::optional<int> BatchTrace::kept_input(const NodeProto& node) const {
    const bool is_spread = is_among(spreading, node.op_type());
    if (!is_spread && !is_among(keeping, node.op_type())) {
        return {};
    }
    std::optional<int> only;
    for (int input = 0; input < node.input_size(); ++input) {
        if (is_fixed_(node.input(input))) {
            continue;
        }
        if (only) {
            return {};
        }
        only = input;
    }
    return only && (!is_spread || is_kept(node, *only)) ? only : std::nullopt;
}

// No other input has more extents than this one, or than one with a batch has at least.
bool BatchTrace::is_kept(const NodeProto& node, int input) const {
    const bool is_product = node.op_type() == "MatMul";
    const auto own = ranks_.find(node.input(input));
    const std::size_t least = is_product ? 2 : 1;
    const std::size_t most = own == ranks_.end() ? least : std::max(least, own->second);
    const auto fits = [&](const std::string& name) {
        const auto rank = ranks_.find(name);
        return name == node.input(input) || (rank != ranks_.end() && rank->second <= most);
    };
    return (!is_product || input == 0) &&
           std::all_of(node.input().begin(), node.input().end(), fits);
}

// The place in the input of what is at `place` of the output; empty where it is not there, or where
// that is not known, as below.
Place BatchTrace::source_of_transpose(const NodeProto& node, const Shape* to,
                                      std::size_t place) const {
    const onnx::AttributeProto* const order = find_attribute(node, "perm");
    if (order == nullptr) {  // the other way round
        return to != nullptr && place < to->size() ? Place(to->size() - 1 - place) : Place();
    }
    const bool is_inside = place < static_cast<std::size_t>(order->ints_size());
    const std::int64_t from = is_inside ? order->ints(static_cast<int>(place)) : -1;
    return from < 0 ? Place() : Place(static_cast<std::size_t>(from));
}

// The extents of the indices stand in the place of the axis.
Place BatchTrace::source_of_gather(const NodeProto& node, int input, std::size_t place) {
    const Shape* const data = node.input_size() == 2 ? shape_of_(node.input(0)) : nullptr;
    const Shape* const indices = node.input_size() == 2 ? shape_of_(node.input(1)) : nullptr;
    std::int64_t stated = integer_of(node, "axis", 0);
    stated += stated < 0 && data != nullptr ? static_cast<std::int64_t>(data->size()) : 0;
    if (stated < 0) {
        return {};
    }
    const auto axis = static_cast<std::size_t>(stated);
    if (place < axis) {
        return input == 0 ? Place(place) : Place();
    }
    const bool is_of_indices = indices == nullptr || place - axis < indices->size();
    if (input == 1) {
        return is_of_indices ? Place(place - axis) : Place();
    }
    return is_of_indices ? Place() : Place(place - indices->size() + 1);
}

Place BatchTrace::source_by_shapes(const NodeProto& node, int input, const Shape& to,
                                   std::size_t place) {
    const Shape* const from = shape_of_(node.input(input));
    if (from == nullptr || place >= to.size() || node.op_type() == "Einsum") {
        return {};
    }
    if (is_among(reshapes, node.op_type())) {
        return input == 0 ? reshaped_from(*from, to, place) : Place();
    }
    // Counted from the last one, as where a shape is spread to another.
    const std::size_t missing = to.size() - std::min(from->size(), to.size());
    const bool is_there = from->size() <= to.size() && place >= missing;
    return is_there && (*from)[place - missing] == to[place] ? Place(place - missing) : Place();
}

// The first extent of such a name.
Place find_named(const onnx::ValueInfoProto& input,
                 const std::function<bool(const std::string& name)>& is_it) {
    if (!has_shape(input)) {
        return {};
    }
    const onnx::TensorShapeProto& shape = input.type().tensor_type().shape();
    for (int place = 0; place < shape.dim_size(); ++place) {
        const std::string& name = shape.dim(place).dim_param();
        if (!name.empty() && is_it(name)) {
            return static_cast<std::size_t>(place);
        }
    }
    return {};
}

std::string name_at(const onnx::ValueInfoProto& input, std::size_t place) {
    const bool is_there =
        has_shape(input) &&
        place < static_cast<std::size_t>(input.type().tensor_type().shape().dim_size());
    return is_there ? input.type().tensor_type().shape().dim(static_cast<int>(place)).dim_param()
                    : std::string();
}

struct Batch {
    std::string input;
    std::uint64_t samples = 0;
};

bool differ(const std::vector<Batch>& batches) {
    return std::any_of(batches.begin(), batches.end(), [&](const Batch& batch) {
        return batch.samples != batches.front().samples;
    });
}

// With which all outputs begin; empty where they differ.
std::optional<std::uint64_t> front_of_outputs(const onnx::GraphProto& proto,
                                              const OnnxGraph& graph) {
    std::optional<std::uint64_t> front;
    for (const onnx::ValueInfoProto& output : proto.output()) {
        const OnnxTensor* const tensor = graph.find(output.name());
        if (tensor == nullptr || !tensor->shape || tensor->shape->empty()) {
            continue;
        }
        if (front && front != tensor->shape->front()) {
            return {};
        }
        front = tensor->shape->front();
    }
    return front;
}

FixedBatch decide(const std::vector<Batch>& batches, std::optional<std::uint64_t> front) {
    if (batches.empty()) {
        return {};
    }
    if (!differ(batches)) {
        return {.samples = batches.front().samples};
    }
    const auto is_front = [&](const Batch& batch) { return batch.samples == front; };
    const bool is_decided = std::any_of(batches.begin(), batches.end(), is_front);
    const std::uint64_t samples = is_decided ? *front : 1;
    // What is 1 in a batch of several is the same for all.
    const auto other = std::find_if(batches.begin(), batches.end(), [&](const Batch& batch) {
        return batch.samples != samples && (!is_decided || batch.samples != 1);
    });
    if (other == batches.end()) {
        return {.samples = samples};
    }
    const auto contrary = std::find_if(batches.begin(), batches.end(), [&](const Batch& batch) {
        return batch.samples != other->samples;
    });
    return {.samples = samples,
            .remark = fmt::format(
                "input {} has a batch of {}, input {} one of {}: counted as {}; export the "
                "model with a dynamic axis named \"batch\" to state which extents are the batch",
                quoted(other->input), other->samples, quoted(contrary->input), contrary->samples,
                is_decided ? fmt::format("a batch of {}, as the outputs have", samples)
                           : std::string("one sample"))};
}

}  // namespace

std::unordered_map<std::string, std::size_t> find_batch_places(
    const onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers) {
    const std::unordered_set<std::string> fixed = find_fixed(graph, initializers);
    BatchTrace trace([](const std::string&) { return nullptr; },
                     [&](const std::string& name) { return fixed.contains(name); });
    trace.follow(graph);
    std::unordered_map<std::string, std::size_t> places;
    std::unordered_set<std::string> names;  // of extents that are the batch
    for (const onnx::ValueInfoProto& input : graph.input()) {
        Place place = find_named(
            input, [](const std::string& name) { return lower_case(name).starts_with("batch"); });
        place = place ? place : trace.place(input.name());
        if (place && !fixed.contains(input.name())) {
            places.emplace(input.name(), *place);
            names.insert(name_at(input, *place));
        }
    }
    for (const onnx::ValueInfoProto& input : graph.input()) {
        const Place place =
            find_named(input, [&](const std::string& name) { return names.contains(name); });
        if (place) {
            places.emplace(input.name(), *place);
        }
    }
    return places;
}

FixedBatch find_fixed_batch(const onnx::GraphProto& proto, const OnnxGraph& graph) {
    const auto shape_of = [&](const std::string& name) -> const Shape* {
        const OnnxTensor* const tensor = graph.find(name);
        return tensor != nullptr && tensor->shape ? &*tensor->shape : nullptr;
    };
    BatchTrace trace(shape_of, [&](const std::string& name) { return graph.is_fixed(name); });
    trace.follow(proto);
    std::vector<Batch> known;
    std::vector<Batch> assumed;
    for (const onnx::ValueInfoProto& input : proto.input()) {
        const Shape* const shape = shape_of(input.name());
        if (graph.is_fixed(input.name()) || shape == nullptr || shape->empty()) {
            continue;
        }
        const Place place = trace.place(input.name());
        const bool is_known = place && *place < shape->size();
        (is_known ? known : assumed)
            .push_back({input.name(), is_known ? (*shape)[*place] : shape->front()});
    }
    return decide(known.empty() ? assumed : known, front_of_outputs(proto, graph));
}

}  // namespace hora::read
