#include "libplanner/read/onnx/onnx_node.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using domain::Layer;
using domain::LayerKind;
using onnx::NodeProto;
using onnx::TensorProto;

// The layers of a graph's nodes; nothing for one that is none.
std::vector<std::optional<Layer>> layers_of(ModelWriter writer) {
    const auto initializers = strip_initializers(writer.graph());
    EXPECT_TRUE(initializers);
    OnnxInference inference(writer.graph(), 15);
    for (NodeProto& node : *writer.graph().mutable_node()) {
        inference.look_at(node);
    }
    OnnxGraph graph(writer.graph(), *initializers, inference.gaps());
    std::vector<std::optional<Layer>> layers;
    for (const NodeProto& node : writer.graph().node()) {
        const auto layer = read_node(node, graph);
        EXPECT_TRUE(layer) << node.name() << ": " << layer.error().message;
        layers.push_back(layer ? *layer : std::nullopt);
    }
    return layers;
}

// As GPT-2 has it: the table of the embedding is also the output's weights.
TEST(OnnxNode, TakesTiedWeightsForTrainedOnes) {
    ModelWriter writer;
    writer.input("ids", {1, 4}, TensorProto::INT64).weights("table", {100, 32});
    writer.node("Gather", {"table", "ids"}, "embedded");
    set_integers(writer.node("Transpose", {"table"}, "turned"), "perm", {1, 0});
    writer.node("MatMul", {"embedded", "turned"}, "scores");
    const auto layers = layers_of(writer);
    ASSERT_TRUE(layers[0] && layers[2]);
    EXPECT_EQ(layers[0]->type, "embedding");
    EXPECT_EQ(layers[0]->weights, 3200u);
    EXPECT_FALSE(layers[1]);
    EXPECT_EQ(layers[2]->kind, LayerKind::dense);
    EXPECT_EQ(layers[2]->weights, 0u);
    EXPECT_EQ(layers[2]->mac, 4u * 32 * 100);
}

// Fused weights that are cut before they are multiplied count once, and whole.
TEST(OnnxNode, TakesPartsOfWeightsForTrainedOnes) {
    ModelWriter writer;
    writer.input("x", {1, 4, 8}).weights("fused", {8, 12}).weights("stack", {3, 4, 8});
    writer.numbers("zero", {0}).numbers("four", {4}).numbers("one", {1}).numbers("first", {0});
    set_integer(writer.node("Split", {"fused"}, "a"), "axis", 1);
    writer.graph().mutable_node(0)->add_output("b");
    writer.node("MatMul", {"x", "a"}, "left");
    writer.node("MatMul", {"x", "b"}, "right");
    writer.node("Slice", {"fused", "zero", "four", "one"}, "c");
    writer.node("MatMul", {"x", "c"}, "third");
    writer.node("Gather", {"stack", "first"}, "d");
    set_integers(writer.node("Transpose", {"d"}, "e"), "perm", {0, 2, 1});
    writer.node("MatMul", {"x", "e"}, "fourth");
    const auto layers = layers_of(writer);
    for (const std::size_t part : {0, 3, 5, 6}) {
        EXPECT_FALSE(layers[part]) << part;
    }
    ASSERT_TRUE(layers[1] && layers[2] && layers[4] && layers[7]);
    EXPECT_EQ(layers[1]->kind, LayerKind::dense);
    EXPECT_EQ(layers[1]->weights, 8u * 12);
    EXPECT_EQ(layers[1]->mac, 4u * 8 * 6);
    EXPECT_EQ(layers[2]->kind, LayerKind::dense);
    EXPECT_EQ(layers[2]->weights, 0u);
    EXPECT_EQ(layers[4]->kind, LayerKind::dense);
    EXPECT_EQ(layers[4]->mac, 4u * 8 * 4);
    EXPECT_EQ(layers[7]->kind, LayerKind::dense);
    EXPECT_EQ(layers[7]->weights, 3u * 4 * 8);
}

// A weight from its direction and its norm, one of two that are joined, and one with a product of
// two narrow ones added: once a step, and not once a sample.
TEST(OnnxNode, TakesComputedWeightsForTrainedOnes) {
    ModelWriter writer;
    writer.input("x", {1, 4, 8}).weights("direction", {8, 8}).weights("norm", {8});
    writer.weights("left", {8, 4}).weights("right", {8, 4}).weights("a", {8, 2});
    writer.weights("b", {2, 8}).weights("base", {8, 8});
    writer.node("Mul", {"direction", "norm"}, "weight");
    writer.node("MatMul", {"x", "weight"}, "first");
    set_integer(writer.node("Concat", {"left", "right"}, "joined"), "axis", 1);
    writer.node("MatMul", {"x", "joined"}, "second");
    writer.node("MatMul", {"a", "b"}, "change");
    writer.node("Add", {"base", "change"}, "adapted");
    writer.node("MatMul", {"x", "adapted"}, "third");
    writer.node("Add", {"weight", "weight"}, "twice");
    const auto layers = layers_of(writer);
    ASSERT_TRUE(layers[0] && layers[2] && layers[4] && layers[5]);
    EXPECT_EQ(layers[0]->parameters, 8u * 8 + 8);
    EXPECT_EQ(layers[0]->activations, 0u);
    EXPECT_EQ(layers[0]->output, (std::vector<std::uint64_t>{8, 8}));
    EXPECT_EQ(layers[2]->parameters, 2u * 8 * 4);
    EXPECT_EQ(layers[4]->parameters, 8u * 2 + 2 * 8);
    EXPECT_EQ(layers[4]->mac, 0u);
    EXPECT_EQ(layers[5]->parameters, 64u);
    EXPECT_FALSE(layers[7]) << "it reads nothing that is not counted";
    for (const std::size_t dense : {1, 3, 6}) {
        ASSERT_TRUE(layers[dense]) << dense;
        EXPECT_EQ(layers[dense]->kind, LayerKind::dense) << dense;
        EXPECT_EQ(layers[dense]->mac, 4u * 8 * 8) << dense;
        EXPECT_EQ(layers[dense]->parameters, 0u) << dense;
        EXPECT_EQ(layers[dense]->weights, 64u) << dense;
    }
}

// Of whole numbers, as a quantised network has them, or rounded to these in training.
TEST(OnnxNode, CountsWeightsThatAreScaled) {
    ModelWriter writer;
    writer.input("x", {1, 4, 8}).weights("whole", {8, 6}).weights("floats", {6, 2});
    writer.weights("scale", {6}).weights("other", {2});
    writer.graph().mutable_initializer(0)->set_data_type(TensorProto::INT8);
    writer.graph().mutable_initializer(0)->set_raw_data(std::string(48, 1));
    writer.node("DequantizeLinear", {"whole", "scale"}, "scaled");
    writer.node("MatMul", {"x", "scaled"}, "first");
    writer.node("QuantizeLinear", {"floats", "other"}, "rounded");
    writer.node("DequantizeLinear", {"rounded", "other"}, "again");
    writer.node("MatMul", {"first", "again"}, "second");
    const auto layers = layers_of(writer);
    for (const std::size_t place : {0, 2, 3}) {
        EXPECT_FALSE(layers[place]) << place;
    }
    ASSERT_TRUE(layers[1] && layers[4]);
    EXPECT_EQ(layers[1]->parameters, 48u);
    EXPECT_EQ(layers[1]->weights, 48u);
    EXPECT_EQ(layers[1]->kind, LayerKind::dense);
    EXPECT_EQ(layers[4]->parameters, 12u);
    EXPECT_EQ(layers[4]->weights, 12u);
}

// As the positions of a vision transformer: those of another size of images.
TEST(OnnxNode, CountsTrainedInputsOfOperatorsWithSettings) {
    for (const char* const type : {"Resize", "Pad", "Clip"}) {
        ModelWriter writer;
        writer.weights("positions", {1, 4, 2, 2}).weights("setting", {8});
        writer.node(type, {"positions", "setting"}, "y");
        writer.input("y", {1, 4, 6, 6});
        OnnxGraph graph(writer.graph(), *strip_initializers(writer.graph()), {});
        const auto layer = read_node(writer.graph().node(0), graph);
        ASSERT_TRUE(layer && *layer) << type;
        EXPECT_EQ((*layer)->parameters, 16u) << type;
    }
}

// As ALBERT has it, and T5 its table.
TEST(OnnxNode, CountsSharedWeightsOnceAndKeepsTheKind) {
    ModelWriter writer;
    writer.input("x", {1, 4, 8}).input("ids", {1, 4}, TensorProto::INT64);
    writer.weights("w", {8, 8}).weights("table", {100, 32});
    writer.node("MatMul", {"x", "w"}, "first");
    writer.node("MatMul", {"first", "w"}, "second");
    writer.node("Gather", {"table", "ids"}, "encoder");
    writer.node("Gather", {"table", "ids"}, "decoder");
    const auto layers = layers_of(writer);
    EXPECT_EQ(layers[0]->weights, 64u);
    EXPECT_EQ(layers[1]->weights, 0u);
    EXPECT_EQ(layers[1]->kind, LayerKind::dense);
    EXPECT_EQ(layers[2]->parameters, 3200u);
    EXPECT_EQ(layers[3]->parameters, 0u);
    EXPECT_EQ(layers[3]->type, "embedding");
}

TEST(OnnxNode, TakesProductsWithoutWeightsForAttention) {
    ModelWriter writer;
    writer.input("q", {1, 2, 4, 8})
        .input("k", {1, 2, 8, 4})
        .input("x", {4, 8})
        .weights("w", {8, 8});
    writer.node("MatMul", {"q", "k"}, "scores");
    writer.node("Gather", {"x", "ids"}, "rows");
    writer.input("ids", {3}, TensorProto::INT64);
    writer.node("Gemm", {"x", "w"}, "dense");
    const auto layers = layers_of(writer);
    EXPECT_EQ(layers[0]->kind, LayerKind::attention);
    EXPECT_EQ(layers[1]->type, "gather");
    EXPECT_EQ(layers[1]->kind, LayerKind::memory);
    EXPECT_EQ(layers[2]->kind, LayerKind::dense);
}

TEST(OnnxNode, NamesConvolutionsByTheirDimensionsAndGroups) {
    ModelWriter writer;
    writer.input("line", {1, 4, 8}).input("cube", {1, 4, 8, 8, 8});
    writer.weights("w1", {6, 4, 3}).weights("w3", {4, 1, 1, 1, 1}).weights("b", {6});
    writer.node("Conv", {"line", "w1", "b"}, "first");
    set_integer(writer.node("Conv", {"cube", "w3"}, "second"), "group", 4);
    set_integer(writer.node("Conv", {"line", "w1"}, "third"), "group", 1);
    const auto layers = layers_of(writer);
    EXPECT_EQ(layers[0]->type, "conv1d");
    EXPECT_EQ(layers[0]->kind, LayerKind::convolution);
    EXPECT_EQ(layers[0]->weights, 72u);
    EXPECT_EQ(layers[0]->parameters, 78u);
    EXPECT_EQ(layers[1]->type, "conv3d");
    EXPECT_EQ(layers[1]->kind, LayerKind::grouped_convolution);
    EXPECT_EQ(layers[1]->mac, 4u * 512);
    EXPECT_EQ(layers[2]->kind, LayerKind::convolution);
    EXPECT_EQ(layers[2]->parameters, 0u);
}

// Every initializer of floats counts as parameters, wherever the node reads it.
TEST(OnnxNode, CountsEveryTrainedInput) {
    ModelWriter writer;
    writer.input("x", {1, 4, 8}).weights("scale", {8}).weights("shift", {8}).weights("a", {8, 2});
    writer.weights("b", {2, 8}).weights("dropped", {8, 8}).weights("low", {1});
    writer.node("Mul", {"x", "scale"}, "scaled");
    writer.node("Add", {"shift", "scaled"}, "shifted");
    set_text(writer.node("Einsum", {"shifted", "a", "b"}, "adapted"), "equation", "bti,ir,ro->bto");
    writer.node("Dropout", {"dropped"}, "kept");
    writer.node("MatMul", {"adapted", "kept"}, "dense");
    writer.node("Clip", {"dense", "low"}, "clipped");
    const auto layers = layers_of(writer);
    EXPECT_EQ(layers[0]->parameters, 8u);
    EXPECT_EQ(layers[1]->parameters, 8u);
    EXPECT_EQ(layers[2]->parameters, 32u);
    EXPECT_EQ(layers[2]->kind, LayerKind::dense);
    EXPECT_FALSE(layers[3]);
    EXPECT_EQ(layers[4]->parameters, 64u);
    EXPECT_EQ(layers[5]->parameters, 0u);
    EXPECT_EQ(layers[5]->type, "activation");
}

TEST(OnnxNode, CountsEveryGateAndStateOfARecurrentLayer) {
    ModelWriter writer;
    writer.input("x", {5, 2, 16}).weights("w", {1, 24, 16}).weights("r", {1, 24, 8});
    writer.weights("b", {1, 48});
    set_integer(writer.node("GRU", {"x", "w", "r", "b"}, "y"), "hidden_size", 8);
    const auto layers = layers_of(writer);
    EXPECT_EQ(layers[0]->kind, LayerKind::recurrent);
    EXPECT_EQ(layers[0]->activations, 5u * 2 * (24 + 8));
    EXPECT_EQ(layers[0]->weights, 24u * (16 + 8));
    EXPECT_EQ(layers[0]->parameters, 24u * (16 + 8) + 48);
}

TEST(OnnxNode, LeavesOutViewsShapesAndParameters) {
    ModelWriter writer;
    writer.input("x", {2, 3}).input("ids", {2}, TensorProto::INT64).weights("w", {3, 2});
    writer.node("Flatten", {"x"}, "flat");
    writer.node("Shape", {"x"}, "extents");
    writer.node("Mul", {"ids", "ids"}, "squares");
    set_integer(writer.node("Cast", {"w"}, "half"), "to", TensorProto::FLOAT16);
    for (const auto& layer : layers_of(writer)) {
        EXPECT_FALSE(layer) << layer->type;
    }
}

// What a fused projection of queries, keys and values is cut into: all parts of it are written.
TEST(OnnxNode, CountsEveryOutputOfASplit) {
    ModelWriter writer;
    writer.input("x", {1, 4, 24}).numbers("parts", {16, 4, 4});
    NodeProto& split = writer.node("Split", {"x", "parts"}, "q");
    set_integer(split, "axis", 2);
    split.add_output("k");
    split.add_output("v");
    NodeProto& halves = writer.node("Split", {"x"}, "");
    set_integer(halves, "axis", 2);
    halves.add_output("second");
    const auto layers = layers_of(writer);
    ASSERT_TRUE(layers[0] && layers[1]);
    EXPECT_EQ(layers[0]->output, (model::Shape{1, 4, 16}));
    EXPECT_EQ(layers[0]->activations, 4u * 24);
    EXPECT_EQ(layers[0]->mac, 0u);
    EXPECT_EQ(layers[1]->activations, 4u * 12);
}

TEST(OnnxNode, SaysWhichPartOfASplitIsMissing) {
    ModelWriter writer;
    writer.input("q", {1, 4}).node("Split", {"x"}, "q").add_output("k");
    OnnxGraph graph(writer.graph(), {}, {});
    const auto layer = read_node(writer.graph().node(0), graph);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().message, "the shape of \"k\" cannot be inferred");
}

TEST(OnnxNode, SaysWhichShapeIsMissing) {
    ModelWriter writer;
    writer.input("x", {2, 3}).node("Unheard", {"x"}, "odd");
    OnnxGraph graph(writer.graph(), {}, {});
    const auto layer = read_node(writer.graph().node(0), graph);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().message, "the shape of \"odd\" cannot be inferred");
    EXPECT_FALSE(read_node(NodeProto(), graph));
}

struct Checked {
    const char* sentence;
    void (*build)(NodeProto& node);
    const char* message;  // "": it is good
};

const Checked checked[] = {
    {"an operator of ONNX", [](NodeProto&) {}, ""},
    {"ONNX by its name", [](NodeProto& node) { node.set_domain("ai.onnx"); }, ""},
    {"one of another domain", [](NodeProto& node) { node.set_domain("ai.onnx.ml"); },
     R"(operator "Relu" of "ai.onnx.ml" is not known; export the plain network)"},
    {"a graph in an attribute", [](NodeProto& node) { node.add_attribute()->mutable_g(); },
     R"(the work of operator "Relu" cannot be counted; export the network without it)"},
    {"several graphs", [](NodeProto& node) { node.add_attribute()->add_graphs(); },
     R"(the work of operator "Relu" cannot be counted; export the network without it)"},
    {"a convolution at places that data say",
     [](NodeProto& node) { node.set_op_type("DeformConv"); },
     R"(the work of operator "DeformConv" cannot be counted; export the network without it)"},
};

TEST(OnnxNode, TellsWithoutShapesWhatCannotBeCounted) {
    for (const Checked& row : checked) {
        NodeProto node;
        node.set_op_type("Relu");
        row.build(node);
        const auto good = check_node(node);
        EXPECT_EQ(good ? "" : good.error().message, row.message) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::read
