// Which nodes do the functions stand for that a model defines of its own?
#include "libplanner/read/onnx/onnx_functions.hpp"

#include <fmt/core.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/unknown_field_set.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_model.hpp"
#include "libplanner/read/onnx/onnx_newer.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;

// Before the name of a tensor or a node: deeper calls than have room in it share it.
constexpr std::size_t longest_path = 128;

// Fields that the library of Debian 12 does not have: there they stay as bytes.
constexpr int overload_of_node = 8;
constexpr int overload_of_function = 13;
constexpr int defaults_of_function = 11;

// Of google::protobuf::UnknownFieldSet; the light protobuf has another type.
template <typename Fields>
std::vector<std::string> later_field(const Fields& fields, int number) {
    std::vector<std::string> values;
    for (int place = 0; place < fields.field_count(); ++place) {
        const auto& field = fields.field(place);
        if (field.number() == number &&
            field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
            values.push_back(field.length_delimited());
        }
    }
    return values;
}

template <typename Proto>
std::string overload_of(const Proto& proto, int number) {
    if constexpr (requires { proto.overload(); }) {
        return proto.overload();
    } else {
        const std::vector<std::string> values = later_field(proto.unknown_fields(), number);
        return values.empty() ? "" : values.back();
    }
}

// Nothing where an attribute cannot be read.
template <typename Proto>
std::optional<std::vector<AttributeProto>> defaults_of(const Proto& proto) {
    std::vector<AttributeProto> defaults;
    if constexpr (requires { proto.attribute_proto(); }) {
        defaults.assign(proto.attribute_proto().begin(), proto.attribute_proto().end());
    } else {
        for (const std::string& bytes : later_field(proto.unknown_fields(), defaults_of_function)) {
            if (!defaults.emplace_back().ParseFromString(bytes)) {
                return std::nullopt;
            }
        }
    }
    return defaults;
}

// Bytes of a copy in memory, from above; as many as are too many at once where the text alone is.
// (Some libraries have the light protobuf, which cannot say it.)
template <typename Proto>
std::size_t space_of(const Proto& proto) {
    const std::size_t text = proto.ByteSizeLong();
    if (text > most_function_bytes) {
        return text;
    }
    google::protobuf::Arena arena;
    google::protobuf::Arena::CreateMessage<Proto>(&arena)->CopyFrom(proto);
    return text + static_cast<std::size_t>(arena.SpaceUsed());
}

std::string domain_of(const std::string& domain) {
    return domain == "ai.onnx" ? "" : domain;
}

struct Function {
    FunctionProto proto;
    std::size_t bytes = 0;  // in memory
    std::vector<AttributeProto> defaults = {};
    bool is_checked = false;
    bool is_active = false;  // its nodes are being written
};

// One call: what the names and the attributes in its function mean.
struct Call {
    const NodeProto& node;
    const Function& function;
    std::string path;
    OuterNames names = {};
    std::unordered_map<std::string_view, const AttributeProto*> attributes = {};
};

std::string path_of(const NodeProto& node) {
    const std::string& name = node.name().empty() ? node.op_type() : node.name();
    return name.substr(0, longest_path);
}

std::int64_t version_of(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& sets) {
    for (const onnx::OperatorSetIdProto& set : sets) {
        if (domain_of(set.domain()).empty()) {
            return set.version();
        }
    }
    return 0;
}

// Since which version an operator is what it is at this one; 0: always, or not known.
int stands_since(const std::string& name, std::int64_t version) {
    constexpr std::int64_t latest = 1 << 20;
    const auto* const schema = onnx::OpSchemaRegistry::Instance()->GetSchema(
        name, static_cast<int>(std::clamp<std::int64_t>(version, 1, latest)), "");
    return schema == nullptr ? 0 : schema->SinceVersion();
}

class FunctionInliner {
  public:
    explicit FunctionInliner(onnx::ModelProto& model) : model_(model) {}

    Expected<void> run();

  private:
    using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload

    Expected<void> take_functions();
    Function* find(const NodeProto& node);
    Expected<void> expand(Nodes& nodes);
    Expected<void> expand_call(const NodeProto& node, Function& function, Nodes& expanded);
    Expected<void> check(Function& function);
    Expected<void> check_versions(const Nodes& nodes, std::int64_t own, std::int64_t models);
    Expected<void> check_room();
    void name_inputs(Call& call);
    void bind(NodeProto& node, Call& call);
    void bind_node(NodeProto& node, Call& call);
    void rename(std::string& name, Call& call);

    onnx::ModelProto& model_;
    std::map<Key, Function> functions_;
    TensorNames names_;
    std::size_t nodes_ = 0;
    std::size_t bytes_ = 0;
    std::size_t depth_ = 0;
};

Expected<void> FunctionInliner::run() {
    if (const auto taken = take_functions(); !taken || functions_.empty()) {
        return taken;
    }
    nodes_ = count_nodes(model_.graph().node());
    names_.add_with_inner(model_.graph());
    return expand(*model_.mutable_graph()->mutable_node());
}

Expected<void> FunctionInliner::take_functions() {
    for (FunctionProto& proto : *model_.mutable_functions()) {
        const std::string name = proto.name();
        std::optional<std::vector<AttributeProto>> defaults = defaults_of(proto);
        if (!defaults) {
            return failure(
                fmt::format("function {} has an attribute that cannot be read", quoted(name)));
        }
        Function function{.proto = {}, .bytes = space_of(proto), .defaults = std::move(*defaults)};
        const Key key(domain_of(proto.domain()), name, overload_of(proto, overload_of_function));
        function.proto.Swap(&proto);
        if (!functions_.emplace(key, std::move(function)).second) {
            return failure(fmt::format("there are two functions {} of {}", quoted(name),
                                       quoted(std::get<0>(key))));
        }
    }
    model_.clear_functions();
    return {};
}

Function* FunctionInliner::find(const NodeProto& node) {
    const auto found = functions_.find(
        Key(domain_of(node.domain()), node.op_type(), overload_of(node, overload_of_node)));
    return found == functions_.end() ? nullptr : &found->second;
}

Expected<void> FunctionInliner::expand(Nodes& nodes) {
    Nodes expanded;
    for (NodeProto& node : nodes) {
        Function* const function = find(node);
        if (function == nullptr) {
            for (GraphProto* const graph : graphs_of(node)) {
                if (const auto done = expand(*graph->mutable_node()); !done) {
                    return done;
                }
            }
            expanded.Add(std::move(node));
        } else if (const auto done = expand_call(node, *function, expanded); !done) {
            return unexpected(done.error().within("function " + quoted(node.op_type())));
        }
    }
    nodes.Swap(&expanded);
    return {};
}

Expected<void> FunctionInliner::expand_call(const NodeProto& node, Function& function,
                                            Nodes& expanded) {
    if (const auto good = check(function); !good) {
        return good;
    }
    if (node.input_size() > function.proto.input_size() ||
        node.output_size() > function.proto.output_size()) {
        return failure(fmt::format("node {} calls it with more inputs or outputs than it has",
                                   quoted(node.name())));
    }
    nodes_ += count_nodes(function.proto.node()) + 1;
    bytes_ += function.bytes;
    if (const auto good = check_room(); !good) {
        return good;
    }
    Call call{.node = node, .function = function, .path = path_of(node)};
    for (const auto& attribute : node.attribute()) {
        call.attributes.emplace(attribute.name(), &attribute);
    }
    for (const auto& attribute : function.defaults) {
        call.attributes.emplace(attribute.name(), &attribute);
    }
    name_inputs(call);
    Nodes body = function.proto.node();
    const std::vector<std::string> outputs(function.proto.output().begin(),
                                           function.proto.output().end());
    Expected<Nodes> copies = name_outputs(outputs, node, computed_by(body), call.names);
    if (!copies) {
        return unexpected(copies.error());
    }
    nodes_ += static_cast<std::size_t>(copies->size());
    for (NodeProto& inner : body) {
        bind(inner, call);
        if (const auto good = check_room(); !good) {
            return good;
        }
    }
    function.is_active = true;
    ++depth_;
    const Expected<void> done = expand(body);
    --depth_;
    function.is_active = false;
    if (!done) {
        return done;
    }
    for (Nodes* const part : {&body, &*copies}) {
        for (NodeProto& inner : *part) {
            expanded.Add(std::move(inner));
        }
    }
    return {};
}

Expected<void> FunctionInliner::check(Function& function) {
    if (function.is_active) {
        return failure("it calls itself, or others that call it; export the plain network");
    }
    if (depth_ >= deepest_function) {
        return failure(
            fmt::format("calls of functions are nested more than {} deep; export the plain network",
                        deepest_function));
    }
    if (function.is_checked) {
        return {};
    }
    function.is_checked = true;
    const std::int64_t own = version_of(function.proto.opset_import());
    const std::int64_t models = version_of(model_.opset_import());
    if (own != 0 && models == 0) {
        model_.add_opset_import()->set_version(own);
    }
    return own == 0 || models == 0 ? Expected<void>()
                                   : check_versions(function.proto.node(), own, models);
}

Expected<void> FunctionInliner::check_versions(const Nodes& nodes, std::int64_t own,
                                               std::int64_t models) {
    for (const NodeProto& node : nodes) {
        for (const GraphProto* const graph : graphs_of(node)) {
            if (const auto good = check_versions(graph->node(), own, models); !good) {
                return good;
            }
        }
        const std::string& name = node.op_type();
        const bool means_another =
            stands_since(name, own) != stands_since(name, models) ||
            is_newer(node, static_cast<int>(own)) != is_newer(node, static_cast<int>(models));
        if (domain_of(node.domain()).empty() && find(node) == nullptr && means_another) {
            return failure(
                fmt::format("it uses version {} of operator {}, and the model version {}; export "
                            "both with one version of the operators",
                            own, quoted(name), models));
        }
    }
    return {};
}

Expected<void> FunctionInliner::check_room() {
    if (nodes_ <= max_onnx_nodes && bytes_ <= most_function_bytes) {
        return {};
    }
    return failure(
        fmt::format("with the nodes of functions in place of their calls there are more "
                    "than {} nodes or {} MiB of them; export the plain network",
                    max_onnx_nodes, most_function_bytes >> 20));
}

// An input that the call leaves out has no name.
void FunctionInliner::name_inputs(Call& call) {
    const FunctionProto& function = call.function.proto;
    for (int place = 0; place < function.input_size(); ++place) {
        call.names.emplace(function.input(place),
                           place < call.node.input_size() ? call.node.input(place) : "");
    }
}

void FunctionInliner::bind(NodeProto& node, Call& call) {
    change_names(node, [&](std::string& name) { rename(name, call); });
    bind_node(node, call);
}

// Its name and its attributes, and those of the nodes in its graphs. An attribute that neither the
// call nor the function has is left out.
void FunctionInliner::bind_node(NodeProto& node, Call& call) {
    node.set_name(fmt::format("{}/{}", call.path, path_of(node)));
    bytes_ += node.name().size();
    for (GraphProto* const graph : graphs_of(node)) {
        for (NodeProto& inner : *graph->mutable_node()) {
            bind_node(inner, call);
        }
    }
    google::protobuf::RepeatedPtrField<AttributeProto> bound;
    for (AttributeProto& attribute : *node.mutable_attribute()) {
        const std::string& wanted = attribute.ref_attr_name();
        if (wanted.empty()) {
            bound.Add(std::move(attribute));
            continue;
        }
        const auto value = call.attributes.find(wanted);
        if (value == call.attributes.end()) {
            continue;
        }
        bytes_ += space_of(*value->second);
        if (bytes_ > most_function_bytes) {
            return;
        }
        AttributeProto& copy = *bound.Add();
        copy = *value->second;
        copy.set_name(attribute.name());
        nodes_ += count_nodes(copy.g().node());
        for (const GraphProto& graph : copy.graphs()) {
            nodes_ += count_nodes(graph.node());
        }
    }
    node.mutable_attribute()->Swap(&bound);
}

void FunctionInliner::rename(std::string& name, Call& call) {
    if (name.empty() || bytes_ > most_function_bytes) {
        return;
    }
    auto known = call.names.find(name);
    if (known == call.names.end()) {
        known = call.names.emplace(name, names_.take(fmt::format("{}/{}", call.path, name))).first;
    }
    name = known->second;
    bytes_ += name.size();
}

}  // namespace

Expected<void> inline_functions(onnx::ModelProto& model) {
    return FunctionInliner(model).run();
}

}  // namespace hora::read
