// What network does an .onnx file hold?
#include "libplanner/read/onnx/onnx_model.hpp"

#include <fmt/core.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "libplanner/model/count.hpp"
#include "libplanner/model/layer.hpp"
#include "libplanner/read/character_cut.hpp"
#include "libplanner/read/onnx/onnx_batch.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_branches.hpp"
#include "libplanner/read/onnx/onnx_functions.hpp"
#include "libplanner/read/onnx/onnx_graph.hpp"
#include "libplanner/read/onnx/onnx_node.hpp"
#include "libplanner/read/onnx/onnx_shapes.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using google::protobuf::io::ZeroCopyInputStream;

constexpr std::size_t longest_name = 64;
constexpr std::size_t deepest_graph = 16;  // branches within branches, by functions as well

// Names come from an untrusted file and go into tables: printable and short.
std::string shown(std::string_view name) {
    return printable(cut_between_characters(name, longest_name), longest_name);
}

Expected<void> check_limits(const onnx::ModelProto& model) {
    const onnx::GraphProto& graph = model.graph();
    if (graph.node().empty()) {
        return failure("there is no graph in it; is it an ONNX model?");
    }
    if (count_nodes(graph.node()) > max_onnx_nodes) {
        return failure(fmt::format("it has more than {} nodes", max_onnx_nodes));
    }
    if (!graph.sparse_initializer().empty()) {
        return failure("it has sparse tensors of its own; export the plain network");
    }
    return {};
}

Expected<void> check_depth(const onnx::GraphProto& graph) {
    if (depth_of(graph.node()) > deepest_graph) {
        return failure(
            fmt::format("graphs lie within graphs more than {} deep; export the plain "
                        "network",
                        deepest_graph));
    }
    return {};
}

// Names are optional in the format, and people have to find a node.
void name_nodes(Nodes& nodes, const std::string& around) {
    int number = 0;
    for (onnx::NodeProto& node : nodes) {
        ++number;
        if (node.name().empty()) {
            node.set_name(fmt::format("{}{}_{}", around, node.op_type(), number));
        }
        for (onnx::GraphProto* const graph : graphs_of(node)) {
            name_nodes(*graph->mutable_node(),
                       fmt::format("{}/", cut_between_characters(node.name(), longest_name)));
        }
    }
}

std::uint64_t share(std::uint64_t count, std::uint64_t batch) {
    return count / batch + (count % batch != 0 ? 1 : 0);
}

// From counts of the whole batch to one sample's.
void take_sample(domain::Layer& layer, std::uint64_t batch) {
    layer.mac = share(layer.mac, batch);
    layer.activations = share(layer.activations, batch);
    if (!layer.output.empty() && layer.output.front() == batch) {
        layer.output.erase(layer.output.begin());
    }
}

void add_inputs(const OnnxGraph& graph, const onnx::GraphProto& proto,
                const OnnxGraph::Initializers& initializers, domain::Network& network) {
    for (const onnx::ValueInfoProto& input : proto.input()) {
        const OnnxTensor* const tensor = graph.find(input.name());
        if (initializers.contains(input.name()) || tensor == nullptr || !tensor->shape) {
            continue;
        }
        model::Count elements(1);
        for (const std::uint64_t extent : *tensor->shape) {
            elements *= model::Count(extent);
        }
        network.layers.push_back({.name = shown(input.name()),
                                  .type = "input",
                                  .output = *tensor->shape,
                                  .activations = elements.value()});
    }
}

Expected<void> add_nodes(OnnxGraph& graph, const onnx::GraphProto& proto,
                         domain::Network& network) {
    for (const onnx::NodeProto& node : proto.node()) {
        Expected<std::optional<domain::Layer>> layer = read_node(node, graph);
        if (!layer) {
            return unexpected(layer.error().within("node " + read::quoted(node.name())));
        }
        if (*layer) {
            (*layer)->name = shown(node.name());
            network.layers.push_back(std::move(**layer));
        }
    }
    return {};
}

Expected<domain::Network> read_graph(onnx::ModelProto& model, std::string_view name,
                                     const model::NetworkOptions& options) {
    const Expected<void> good = check_limits(model)
                                    .and_then([&] { return inline_functions(model); })
                                    .and_then([&] { return check_depth(model.graph()); })
                                    .and_then([&] {
                                        name_nodes(*model.mutable_graph()->mutable_node(), "");
                                        collect_initializers(*model.mutable_graph());
                                        return check_nodes(model.graph().node());
                                    });
    if (!good) {
        return unexpected(good.error());
    }
    onnx::GraphProto& proto = *model.mutable_graph();
    const Expected<OnnxGraph::Initializers> initializers = strip_initializers(proto);
    if (!initializers) {
        return unexpected(initializers.error());
    }
    const Expected<FixedInputs> inputs = fix_inputs(proto, *initializers, options);
    if (!inputs) {
        return unexpected(inputs.error());
    }
    const Expected<ShapeGaps> gaps = infer_shapes(model);
    if (!gaps) {
        return unexpected(gaps.error());
    }
    OnnxGraph graph(proto, *initializers, *gaps);
    const FixedBatch batch =
        inputs->had_dynamic_batch ? FixedBatch{} : find_fixed_batch(proto, graph);
    domain::Network network{.name = shown(name), .layers = {}, .remark = batch.remark};
    add_inputs(graph, proto, *initializers, network);
    if (const Expected<void> added = add_nodes(graph, proto, network); !added) {
        return unexpected(added.error());
    }
    for (domain::Layer& layer : network.layers) {
        take_sample(layer, batch.samples);
    }
    if (const Expected<void> checked = model::check_sums(network); !checked) {
        return unexpected(checked.error());
    }
    return network;
}

Expected<domain::Network> read_stream(ZeroCopyInputStream& stream, std::string_view file,
                                      const model::NetworkOptions& options) {
    std::string_view name = file.substr(std::min(file.size(), file.rfind('/') + 1));
    name = name.substr(0, name.rfind('.'));
    const google::protobuf::LogSilencer silencer;
    onnx::ModelProto model;
    if (!model.ParseFromZeroCopyStream(&stream)) {
        return failure(read::quoted(file) + " is no ONNX model, or was cut short");
    }
    Expected<domain::Network> network = read_graph(model, name, options);
    if (!network) {
        return unexpected(network.error().within(read::quoted(file)));
    }
    if (!network->remark.empty()) {
        network->remark = read::quoted(file) + ": " + network->remark;
    }
    return network;
}

}  // namespace

Expected<domain::Network> read_onnx_file(const std::string& path,
                                         const model::NetworkOptions& options) {
    std::error_code problem;  // also for what is no plain file, and might never end
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    if (problem || !file) {
        const std::string reason = problem ? problem.message() : std::strerror(errno);
        return failure(fmt::format("cannot open {}: {}", read::quoted(path), reason));
    }
    if (size > max_onnx_file) {
        return failure(fmt::format("{} is larger than {} bytes; keep the weights in another file",
                                   read::quoted(path), max_onnx_file));
    }
    google::protobuf::io::IstreamInputStream stream(&file);
    return read_stream(stream, path, options);
}

Expected<domain::Network> read_onnx_model(std::string_view bytes, std::string_view name,
                                          const model::NetworkOptions& options) {
    if (bytes.size() > max_onnx_file) {
        return failure(
            fmt::format("{} is larger than {} bytes", read::quoted(name), max_onnx_file));
    }
    google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
    return read_stream(stream, name, options);
}

}  // namespace hora::read
