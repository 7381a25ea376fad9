#include "libplanner/read/onnx/onnx_functions.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "libplanner/read/onnx/onnx_model.hpp"
#include "tests/unit/read/onnx/model_writer.hpp"
#include "tests/unit/read/onnx/node_lines.hpp"

namespace hora::read {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;

using Lines = std::vector<std::string>;
using Names = std::vector<std::string>;

// A function of the domain "own".
class FunctionWriter {
  public:
    FunctionWriter(ModelWriter& writer, const std::string& name, const Names& inputs,
                   const Names& outputs)
        : function_(*writer.model().add_functions()) {
        function_.set_name(name);
        function_.set_domain("own");
        for (const std::string& input : inputs) {
            function_.add_input(input);
        }
        for (const std::string& output : outputs) {
            function_.add_output(output);
        }
    }

    FunctionProto& proto() { return function_; }

    NodeProto& node(const std::string& type, const Names& inputs, const Names& outputs,
                    const std::string& domain = "") {
        return add_node(*function_.mutable_node(), type, inputs, outputs, domain);
    }

  private:
    FunctionProto& function_;
};

NodeProto& call(ModelWriter& writer, const std::string& name, const Names& inputs,
                const Names& outputs) {
    return add_node(*writer.graph().mutable_node(), name, inputs, outputs, "own");
}

void refer(NodeProto& node, const std::string& name, const std::string& parameter) {
    AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(AttributeProto::INT);
    attribute.set_ref_attr_name(parameter);
}

// As a file has fields that the library may be too old to know.
template <class Message>
void add_later_field(Message& message, int number, const std::string& bytes) {
    std::string file = message.SerializeAsString();
    file += static_cast<char>(number << 3 | 2);
    file += static_cast<char>(bytes.size());
    message.ParseFromString(file + bytes);
}

void add_default(FunctionProto& function, const std::string& name, std::int64_t value) {
    AttributeProto attribute;
    attribute.set_name(name);
    attribute.set_type(AttributeProto::INT);
    attribute.set_i(value);
    add_later_field(function, 11, attribute.SerializeAsString());
}

struct Case {
    const char* sentence;
    std::function<void(ModelWriter&)> write;
    Lines lines;
};

void add_pair(ModelWriter& writer) {
    FunctionWriter pair(writer, "Pair", {"a"}, {"b"});
    pair.node("Relu", {"a"}, {"t"});
    pair.node("Neg", {"t"}, {"b"});
}

void add_with_axis(ModelWriter& writer, bool has_default) {
    FunctionWriter function(writer, "Join", {"a"}, {"b"});
    NodeProto& node = function.node("Concat", {"a", "a"}, {"b"});
    refer(node, "axis", "along");
    if (has_default) {
        add_default(function.proto(), "along", 7);
    }
}

const Case cases[] = {
    {"a model without functions stays as it is",
     [](ModelWriter& w) { add_node(*w.graph().mutable_node(), "Relu", {"x"}, {"y"}, "other"); },
     {"Relu x -> y"}},
    {"each call has tensors of its own",
     [](ModelWriter& w) {
         add_pair(w);
         call(w, "Pair", {"x"}, {"m"}).set_name("first");
         call(w, "Pair", {"m"}, {"y"}).set_name("second");
     },
     {"Relu x -> first/t", "Neg first/t -> m", "Relu m -> second/t", "Neg second/t -> y"}},
    {"also where calls and tensors have the same names",
     [](ModelWriter& w) {
         add_pair(w);
         call(w, "Pair", {"Pair/t"}, {"m"});
         call(w, "Pair", {"m"}, {"y"});
     },
     {"Relu Pair/t -> Pair/t_1", "Neg Pair/t_1 -> m", "Relu m -> Pair/t_2", "Neg Pair/t_2 -> y"}},
    {"functions call functions, whatever their order",
     [](ModelWriter& w) {
         FunctionWriter outer(w, "Outer", {"a"}, {"c"});
         outer.node("Pair", {"a"}, {"b"}, "own").set_name("pair");
         outer.node("Abs", {"b"}, {"c"});
         add_pair(w);
         call(w, "Outer", {"x"}, {"y"}).set_name("block");
     },
     {"Relu x -> block/pair/t", "Neg block/pair/t -> block/b", "Abs block/b -> y"}},
    {"an input that is left out has no name",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Layer", {"a", "low", "high"}, {"b"});
         function.node("Clip", {"a", "low", "high"}, {"b"});
         call(w, "Layer", {"x", "", "top"}, {"m"});
         call(w, "Layer", {"m"}, {"y"});
     },
     {"Clip x - top -> m", "Clip m - - -> y"}},
    {"an output that is left out is computed all the same",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Both", {"a"}, {"b", "c"});
         function.node("Relu", {"a"}, {"b"});
         function.node("Neg", {"b"}, {"c"});
         call(w, "Both", {"x"}, {"", "y"});
         call(w, "Both", {"x"}, {"z"});
     },
     {"Relu x -> Both/b", "Neg Both/b -> y", "Relu x -> z", "Neg z -> Both/c"}},
    {"an output may be an input, or another output",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Through", {"a"}, {"a", "b", "b"});
         function.node("Relu", {"a"}, {"b"});
         call(w, "Through", {"x"}, {"same", "y", "z"});
     },
     {"Relu x -> y", "Identity x -> same", "Identity y -> z"}},
    {"attributes are the call's",
     [](ModelWriter& w) {
         add_with_axis(w, true);
         set_integer(call(w, "Join", {"x"}, {"y"}), "along", 2);
     },
     {"Concat x x -> y axis=2"}},
    {"or else the function's",
     [](ModelWriter& w) {
         add_with_axis(w, true);
         call(w, "Join", {"x"}, {"y"});
     },
     {"Concat x x -> y axis=7"}},
    {"or are left out",
     [](ModelWriter& w) {
         add_with_axis(w, false);
         call(w, "Join", {"x"}, {"y"});
     },
     {"Concat x x -> y"}},
    {"an inner call's attributes may be the outer call's",
     [](ModelWriter& w) {
         add_with_axis(w, true);
         FunctionWriter outer(w, "Outer", {"a"}, {"b"});
         refer(outer.node("Join", {"a"}, {"b"}, "own"), "along", "outer_axis");
         set_integer(call(w, "Outer", {"x"}, {"y"}), "outer_axis", 3);
     },
     {"Concat x x -> y axis=3"}},
    {"overloads are functions of their own",
     [](ModelWriter& w) {
         for (const char* const type : {"Relu", "Neg"}) {
             FunctionWriter function(w, "Twice", {"a"}, {"b"});
             function.node(type, {"a"}, {"b"});
             add_later_field(function.proto(), 13, type);
         }
         add_later_field(call(w, "Twice", {"x"}, {"m"}), 8, "Neg");
         add_later_field(call(w, "Twice", {"m"}, {"y"}), 8, "Relu");
     },
     {"Neg x -> m", "Relu m -> y"}},
    {"within the graphs of nodes as well, which see the names around them",
     [](ModelWriter& w) {
         add_pair(w);
         FunctionWriter function(w, "Maybe", {"a", "c"}, {"b"});
         function.node("Neg", {"a"}, {"t"});
         NodeProto& node = function.node("If", {"c"}, {"b"});
         add_node(*add_branch(node, "then_branch", {"r"}).mutable_node(), "Pair", {"t"}, {"r"},
                  "own");
         add_branch(node, "else_branch", {"t"});
         call(w, "Maybe", {"x", "is"}, {"y"}).set_name("f");
     },
     {"Neg x -> f/t",
      "If is -> y then_branch=(Relu f/t -> f/Pair/t; Neg f/Pair/t -> f/r | "
      "f/r) else_branch=(| f/t)"}},
    {"and in the graphs of the model's own nodes",
     [](ModelWriter& w) {
         add_pair(w);
         NodeProto& node = add_node(*w.graph().mutable_node(), "If", {"c"}, {"y"});
         GraphProto& branch = add_branch(node, "then_branch", {"Pair/t"});
         add_node(*branch.mutable_node(), "Pair", {"x"}, {"Pair/t"}, "own");
     },
     {"If c -> y then_branch=(Relu x -> Pair/t_1; Neg Pair/t_1 -> Pair/t | Pair/t)"}},
    {"an attribute of a node within a graph is the call's",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Maybe", {"a", "c"}, {"b"});
         NodeProto& node = function.node("If", {"c"}, {"b"});
         GraphProto& branch = add_branch(node, "then_branch", {"r"});
         refer(add_node(*branch.mutable_node(), "Concat", {"a"}, {"r"}), "axis", "along");
         set_integer(call(w, "Maybe", {"x", "is"}, {"y"}), "along", 2);
     },
     {"If is -> y then_branch=(Concat x -> Maybe/r axis=2 | Maybe/r)"}},
    {"a version of the operators that means the same ones",
     [](ModelWriter& w) {
         add_pair(w);
         auto& set = *w.model().mutable_functions(0)->add_opset_import();
         set.set_domain("ai.onnx");
         set.set_version(14);
         call(w, "Pair", {"x"}, {"y"}).set_name("pair");
     },
     {"Relu x -> pair/t", "Neg pair/t -> y"}},
};

TEST(OnnxFunctions, StandForTheirNodes) {
    for (const Case& row : cases) {
        ModelWriter writer;
        row.write(writer);
        const auto done = inline_functions(writer.model());
        ASSERT_TRUE(done) << row.sentence << ": " << done.error().message;
        EXPECT_EQ(lines_of(writer.graph().node()), row.lines) << row.sentence;
        EXPECT_TRUE(writer.model().functions().empty()) << row.sentence;
    }
}

TEST(OnnxFunctions, GiveTheModelAVersionWhereItHasNone) {
    ModelWriter writer;
    add_pair(writer);
    writer.model().mutable_functions(0)->add_opset_import()->set_version(14);
    writer.model().mutable_opset_import(0)->set_domain("own");
    call(writer, "Pair", {"x"}, {"y"});
    ASSERT_TRUE(inline_functions(writer.model()));
    EXPECT_EQ(writer.model().opset_import(1).version(), 14);
}

// Each calls the next `calls` times; the last has the given number of nodes.
void add_chain(ModelWriter& writer, int length, int calls, int nodes) {
    for (int place = 0; place < length; ++place) {
        FunctionWriter function(writer, "f" + std::to_string(place), {"a"}, {"b"});
        const bool is_last = place + 1 == length;
        for (int count = 0; count < (is_last ? nodes : calls); ++count) {
            function.node(is_last ? "Relu" : "f" + std::to_string(place + 1), {"a"}, {},
                          is_last ? "" : "own");
        }
    }
    call(writer, "f0", {"x"}, {});
}

struct Refused {
    const char* sentence;
    std::function<void(ModelWriter&)> write;
    std::string part;  // of the message
};

const Refused refused[] = {
    {"a function that calls itself",
     [](ModelWriter& w) {
         FunctionWriter(w, "Snake", {"a"}, {"b"}).node("Snake", {"a"}, {"b"}, "own");
         call(w, "Snake", {"x"}, {"y"});
     },
     "function \"Snake\": function \"Snake\": it calls itself, or others that call it; export the "
     "plain network"},
    {"functions that call each other",
     [](ModelWriter& w) {
         FunctionWriter(w, "Egg", {"a"}, {"b"}).node("Hen", {"a"}, {"b"}, "own");
         FunctionWriter(w, "Hen", {"a"}, {"b"}).node("Egg", {"a"}, {"b"}, "own");
         call(w, "Hen", {"x"}, {"y"});
     },
     "function \"Hen\": function \"Egg\": function \"Hen\": it calls itself"},
    {"functions nested too deep", [](ModelWriter& w) { add_chain(w, 100, 1, 1); },
     "function \"f64\": calls of functions are nested more than 64 deep"},
    {"functions that would become more nodes than any network has",
     [](ModelWriter& w) { add_chain(w, 20, 10, 1); },
     "there are more than 100000 nodes or 256 MiB of them; export the plain network"},
    {"functions that would become no nodes, by as many calls",
     [](ModelWriter& w) { add_chain(w, 20, 10, 0); }, "there are more than 100000 nodes"},
    {"a function with a large constant that is called often",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Large", {}, {"b"});
         NodeProto& node = function.node("Constant", {}, {"b"});
         node.add_attribute()->set_name("value");
         node.mutable_attribute(0)->mutable_t()->set_raw_data(std::string(1 << 20, 'x'));
         for (int count = 0; count < 300; ++count) {
             call(w, "Large", {}, {"y" + std::to_string(count)});
         }
     },
     "function \"Large\": with the nodes of functions in place of their calls there are more than"},
    {"a large attribute that a function uses often",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Often", {}, {"b"});
         for (int count = 0; count < 300; ++count) {
             refer(function.node("Constant", {}, {"b" + std::to_string(count)}), "value", "what");
         }
         AttributeProto& attribute = *call(w, "Often", {}, {}).add_attribute();
         attribute.set_name("what");
         attribute.mutable_t()->set_raw_data(std::string(1 << 20, 'x'));
     },
     "there are more than 100000 nodes or 256 MiB of them"},
    {"a long name that a function uses often",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Often", {"a"}, {"b"});
         NodeProto& node = function.node("Concat", {}, {"b"});
         for (int count = 0; count < 300; ++count) {
             node.add_input("a");
         }
         call(w, "Often", {std::string(1 << 20, 'x')}, {});
     },
     "there are more than 100000 nodes or 256 MiB of them"},
    {"two functions of one name",
     [](ModelWriter& w) {
         add_pair(w);
         add_pair(w);
     },
     "there are two functions \"Pair\" of \"own\""},
    {"a call with more inputs than the function has",
     [](ModelWriter& w) {
         add_pair(w);
         call(w, "Pair", {"x", "z"}, {"y"}).set_name("node");
     },
     "function \"Pair\": node \"node\" calls it with more inputs or outputs than it has"},
    {"an output that nothing computes",
     [](ModelWriter& w) {
         FunctionWriter(w, "Void", {"a"}, {"b"}).node("Relu", {"a"}, {"c"});
         call(w, "Void", {"x"}, {"y"});
     },
     "function \"Void\": no node of it computes its output \"b\""},
    {"operators of another version",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Old", {"a"}, {"b"});
         function.node("Squeeze", {"a"}, {"b"});
         function.proto().add_opset_import()->set_version(11);
         call(w, "Old", {"x"}, {"y"});
     },
     "function \"Old\": it uses version 11 of operator \"Squeeze\", and the model version 15; "
     "export "
     "both with one version of the operators"},
    {"operators of a version that only one of the two has",
     [](ModelWriter& w) {
         FunctionWriter function(w, "New", {"a", "n"}, {"b"});
         NodeProto& node = function.node("Resize", {"a", "", "", "n"}, {"b"});
         AttributeProto& policy = *node.add_attribute();
         policy.set_name("keep_aspect_ratio_policy");
         policy.set_type(AttributeProto::STRING);
         policy.set_s("not_larger");
         function.proto().add_opset_import()->set_version(18);
         call(w, "New", {"x", "n"}, {"y"});
     },
     "function \"New\": it uses version 18 of operator \"Resize\", and the model version 15"},
    {"operators of another version within a graph",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Old", {"a", "c"}, {"b"});
         GraphProto& branch = add_branch(function.node("If", {"c"}, {"b"}), "else_branch", {"r"});
         add_node(*branch.mutable_node(), "Squeeze", {"a"}, {"r"});
         function.proto().add_opset_import()->set_version(11);
         call(w, "Old", {"x", "is"}, {"y"});
     },
     "function \"Old\": it uses version 11 of operator"},
    {"functions that would become more nodes than any network has, within graphs",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Large", {"c"}, {"b"});
         GraphProto& branch = add_branch(function.node("If", {"c"}, {"b"}), "then_branch", {"b"});
         for (int count = 0; count < 1000; ++count) {
             add_node(*branch.mutable_node(), "Relu", {"c"}, {"b"});
         }
         for (int count = 0; count < 100; ++count) {
             call(w, "Large", {"c"}, {"y"});
         }
     },
     "there are more than 100000 nodes"},
    {"a graph of many nodes that a function uses often",
     [](ModelWriter& w) {
         FunctionWriter function(w, "Often", {"c"}, {"b"});
         for (int count = 0; count < 300; ++count) {
             refer(function.node("If", {"c"}, {"b"}), "then_branch", "what");
         }
         NodeProto& node = call(w, "Often", {"c"}, {"y"});
         GraphProto& graph = add_branch(node, "what", {"r"});
         for (int count = 0; count < 400; ++count) {
             add_node(*graph.mutable_node(), "Relu", {"c"}, {"r"});
         }
     },
     "there are more than 100000 nodes"},
    {"a default that is none",
     [](ModelWriter& w) {
         add_pair(w);
         add_later_field(*w.model().mutable_functions(0), 11, "\xff");
     },
     "function \"Pair\" has an attribute that cannot be read"},
};

TEST(OnnxFunctions, AreRefusedByName) {
    for (const Refused& row : refused) {
        ModelWriter writer;
        row.write(writer);
        const auto done = inline_functions(writer.model());
        ASSERT_FALSE(done) << row.sentence;
        EXPECT_NE(done.error().message.find(row.part), std::string::npos)
            << row.sentence << ": " << done.error().message;
    }
}

// A block of GPT-2: its nodes in the graph, or in a function that calls others, or every other one.
constexpr int blocks = 3;
constexpr std::int64_t width = 32;

using Nodes = google::protobuf::RepeatedPtrField<NodeProto>;

// y = x W + b, of a kind that torch.onnx.dynamo_export has for a layer.
void add_linear(Nodes& nodes, const Names& inputs, const std::string& output, bool is_function) {
    if (is_function) {
        add_node(nodes, "Linear", inputs, {output}, "own");
        return;
    }
    add_node(nodes, "MatMul", {inputs[0], inputs[1]}, {output + ".product"});
    add_node(nodes, "Add", {output + ".product", inputs[2]}, {output});
}

void add_transpose(Nodes& nodes, const std::string& input, const std::string& output,
                   const std::vector<std::int64_t>& order, bool is_function) {
    if (is_function) {
        set_integers(add_node(nodes, "Permute", {input}, {output}, "own"), "dims", order);
    } else {
        set_integers(add_node(nodes, "Transpose", {input}, {output}), "perm", order);
    }
}

const Names block_weights = {"scale", "shift", "fused", "fused_bias", "heads", "joined",
                             "whole", "out",   "up",    "up_bias",    "down",  "down_bias"};

void add_block(Nodes& nodes, bool has_functions) {
    add_node(nodes, "LayerNormalization", {"x", "scale", "shift"}, {"normal"});
    add_linear(nodes, {"normal", "fused", "fused_bias"}, "qkv", has_functions);
    set_integer(add_node(nodes, "Split", {"qkv"}, {"q", "k", "v"}), "axis", 2);
    for (const char* const part : {"q", "k", "v"}) {
        const std::string name = part;
        add_node(nodes, "Reshape", {name, "heads"}, {name + ".apart"});
        const std::vector<std::int64_t> order = name == "k" ? std::vector<std::int64_t>{0, 2, 3, 1}
                                                            : std::vector<std::int64_t>{0, 2, 1, 3};
        add_transpose(nodes, name + ".apart", name + ".heads", order, has_functions);
    }
    add_node(nodes, "MatMul", {"q.heads", "k.heads"}, {"scores"});
    set_integer(add_node(nodes, "Softmax", {"scores"}, {"parts"}), "axis", 3);
    add_node(nodes, "MatMul", {"parts", "v.heads"}, {"mixed"});
    add_transpose(nodes, "mixed", "turned", {0, 2, 1, 3}, has_functions);
    add_node(nodes, "Reshape", {"turned", "joined"}, {"together"});
    add_node(nodes, "MatMul", {"together", "out"}, {"attended"});
    add_node(nodes, "Add", {"attended", "x"}, {"middle"});
    add_linear(nodes, {"middle", "up", "up_bias"}, "hidden", has_functions);
    add_node(nodes, "Tanh", {"hidden"}, {"active"});
    add_linear(nodes, {"active", "down", "down_bias"}, "back", has_functions);
    add_node(nodes, "Add", {"back", "middle"}, {"y"});
}

void add_functions(ModelWriter& writer) {
    Names inputs = {"x"};
    inputs.insert(inputs.end(), block_weights.begin(), block_weights.end());
    FunctionWriter block(writer, "Block", inputs, {"y"});
    add_block(*block.proto().mutable_node(), true);
    FunctionWriter linear(writer, "Linear", {"x", "w", "b"}, {"y"});
    linear.node("MatMul", {"x", "w"}, {"t"});
    linear.node("Add", {"t", "b"}, {"y"});
    FunctionWriter permute(writer, "Permute", {"x"}, {"y"});
    refer(permute.node("Transpose", {"x"}, {"y"}), "perm", "dims");
}

// In the block's own words, or with the number of the block.
std::string outer_name(const std::string& name, int block) {
    return name == "x"   ? "x" + std::to_string(block)
           : name == "y" ? "x" + std::to_string(block + 1)
                         : name + std::to_string(block);
}

ModelWriter transformer(const std::function<bool(int block)>& is_function) {
    ModelWriter writer;
    writer.model().mutable_opset_import(0)->set_version(17);
    writer.input("x0", {dynamic, 10, width}).output("x" + std::to_string(blocks));
    add_functions(writer);
    for (int block = 0; block < blocks; ++block) {
        const auto named = [&](const char* name) { return outer_name(name, block); };
        writer.weights(named("scale"), {width}).weights(named("shift"), {width});
        writer.weights(named("fused"), {width, 3 * width})
            .weights(named("fused_bias"), {3 * width});
        writer.numbers(named("heads"), {0, 0, 4, width / 4});
        writer.numbers(named("joined"), {0, 0, width}).weights(named("out"), {width, width});
        writer.weights(named("up"), {width, 4 * width}).weights(named("up_bias"), {4 * width});
        writer.weights(named("down"), {4 * width, width}).weights(named("down_bias"), {width});
        if (is_function(block)) {
            Names inputs = {named("x")};
            for (const std::string& name : block_weights) {
                inputs.push_back(name == "whole" ? "" : outer_name(name, block));
            }
            call(writer, "Block", inputs, {named("y")});
            continue;
        }
        Nodes nodes;
        add_block(nodes, false);
        for (NodeProto& node : nodes) {
            for (auto* const names : {node.mutable_input(), node.mutable_output()}) {
                for (std::string& name : *names) {
                    name = outer_name(name, block);
                }
            }
            *writer.graph().add_node() = node;
        }
    }
    return writer;
}

auto counts_of(const domain::Layer& layer) {
    return std::tuple(layer.type, layer.output, layer.kind, layer.mac, layer.parameters,
                      layer.weights, layer.activations);
}

TEST(OnnxFunctions, CountAsTheirNodesDo) {
    const auto plain = read_onnx_model(transformer([](int) { return false; }).bytes(), "n.onnx");
    ASSERT_TRUE(plain) << plain.error().message;
    std::uint64_t parameters = 0;
    std::uint64_t mac = 0;
    for (const domain::Layer& layer : plain->layers) {
        parameters += layer.parameters;
        mac += layer.mac;
    }
    EXPECT_EQ(parameters, blocks * (2u * 32 + 32 * 96 + 96 + 32 * 32 + 2 * 32 * 128 + 128 + 32));
    EXPECT_EQ(mac, blocks * (10u * 32 * 96 + 2 * 10 * 10 * 32 + 10 * 32 * 32 + 2 * 10 * 32 * 128));
    for (const int every : {1, 2}) {
        const auto network = read_onnx_model(
            transformer([&](int block) { return block % every == 0; }).bytes(), "n.onnx");
        ASSERT_TRUE(network) << network.error().message;
        ASSERT_EQ(network->layers.size(), plain->layers.size());
        for (std::size_t place = 0; place < plain->layers.size(); ++place) {
            const domain::Layer& layer = network->layers[place];
            EXPECT_EQ(counts_of(layer), counts_of(plain->layers[place])) << layer.name;
        }
    }
}

TEST(OnnxFunctions, NameTheirLayersByTheirCalls) {
    ModelWriter writer;
    writer.input("x", {dynamic, 8}).output("y").weights("w", {8, 4}).weights("b", {4});
    FunctionWriter linear(writer, "Linear", {"x", "w", "b"}, {"y"});
    linear.node("MatMul", {"x", "w"}, {"t"}).set_name("product");
    linear.node("Add", {"t", "b"}, {"y"});
    call(writer, "Linear", {"x", "w", "b"}, {"y"}).set_name("head");
    const auto network = read_onnx_model(writer.bytes(), "n.onnx");
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(network->layers.size(), 3u);
    EXPECT_EQ(network->layers[1].name, "head/product");
    EXPECT_EQ(network->layers[2].name, "head/Add");
}

TEST(OnnxFunctions, NeedOperatorsThatAreKnown) {
    ModelWriter writer;
    writer.input("x", {dynamic, 8}).output("y");
    FunctionWriter(writer, "Strange", {"x"}, {"y"}).node("Fused", {"x"}, {"y"}, "com.x");
    call(writer, "Strange", {"x"}, {"y"}).set_name("call");
    const auto network = read_onnx_model(writer.bytes(), "n.onnx");
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().message,
              "\"n.onnx\": node \"call/Fused\": operator \"Fused\" of \"com.x\" is not known; "
              "export the plain network");
}

}  // namespace
}  // namespace hora::read
