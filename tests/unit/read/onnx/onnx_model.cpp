#include "libplanner/read/onnx/onnx_model.hpp"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"
#include "tests/unit/sanitized.hpp"

namespace hora::read {
namespace {

using onnx::NodeProto;
using onnx::TensorProto;

// conv 8 -> 16, 3 x 3, padding 1, groups 2 on 8 x 8; relu; average; dense 16 -> 10.
ModelWriter small_network(std::int64_t batch) {
    ModelWriter writer;
    writer.input("x", {batch, 8, 8, 8}).output("y");
    writer.weights("conv.weight", {16, 4, 3, 3}).weights("conv.bias", {16});
    writer.weights("dense.weight", {10, 16}).weights("dense.bias", {10});
    NodeProto& conv = writer.node("Conv", {"x", "conv.weight", "conv.bias"}, "conv");
    set_integers(conv, "pads", {1, 1, 1, 1});
    set_integer(conv, "group", 2);
    writer.node("Relu", {"conv"}, "relu");
    writer.node("GlobalAveragePool", {"relu"}, "average");
    writer.node("Flatten", {"average"}, "flat");
    set_integer(writer.node("Gemm", {"flat", "dense.weight", "dense.bias"}, "y"), "transB", 1);
    return writer;
}

domain::Network read(const ModelWriter& writer, const model::NetworkOptions& options = {}) {
    Expected<domain::Network> network = read_onnx_model(writer.bytes(), "some/net.onnx", options);
    EXPECT_TRUE(network) << (network ? "" : network.error().message);
    return network ? *network : domain::Network{};
}

const domain::Layer& layer_named(const domain::Network& network, std::string_view name) {
    static const domain::Layer none;
    for (const domain::Layer& layer : network.layers) {
        if (layer.name == name) {
            return layer;
        }
    }
    ADD_FAILURE() << "no layer " << name;
    return none;
}

TEST(OnnxModel, CountsASmallNetworkByP1sRules) {
    const domain::Network network = read(small_network(dynamic));
    EXPECT_EQ(network.name, "net");
    ASSERT_EQ(network.layers.size(), 5u);
    EXPECT_EQ(network.layers[0].type, "input");
    EXPECT_EQ(network.layers[0].activations, 512u);
    const domain::Layer& conv = layer_named(network, "conv");
    EXPECT_EQ(conv.type, "conv2d");
    EXPECT_EQ(conv.output, (std::vector<std::uint64_t>{16, 8, 8}));
    EXPECT_EQ(conv.mac, 16u * 64 * 4 * 9);
    EXPECT_EQ(conv.weights, 16u * 4 * 9);
    EXPECT_EQ(conv.parameters, 16u * 4 * 9 + 16);
    EXPECT_EQ(conv.activations, 16u * 64);
    const domain::Layer& dense = layer_named(network, "y");
    EXPECT_EQ(dense.type, "dense");
    EXPECT_EQ(dense.mac, 160u);
    EXPECT_EQ(dense.parameters, 170u);
}

TEST(OnnxModel, CountsOneSampleOfALayerThatHasTheBatchSecond) {
    const auto with_batch = [](std::int64_t batch) {
        ModelWriter writer;
        writer.input("x", {10, batch, 32}).input("h0", {1, batch, 16}).input("c0", {1, batch, 16});
        writer.weights("w", {1, 64, 32}).weights("r", {1, 64, 16}).output("y");
        set_integer(writer.node("LSTM", {"x", "w", "r", "", "", "h0", "c0"}, "y"), "hidden_size",
                    16);
        return read(writer);
    };
    const domain::Network one = with_batch(1);
    const domain::Network several = with_batch(20);
    EXPECT_EQ(layer_named(several, "y").mac, layer_named(one, "y").mac);
    EXPECT_EQ(layer_named(several, "y").activations, layer_named(one, "y").activations);
    EXPECT_EQ(several.remark, "");
}

TEST(OnnxModel, SaysHowItTookABatchThatIsNotClear) {
    ModelWriter writer;
    writer.input("x", {8, 4}).input("mask", {4, 4}).output("y").output("z");
    writer.node("Relu", {"x"}, "y");
    writer.node("Relu", {"mask"}, "z");
    const domain::Network network = read(writer);
    EXPECT_EQ(
        network.remark,
        "\"some/net.onnx\": input \"x\" has a batch of 8, input \"mask\" one of 4: counted as "
        "one sample; export the model with a dynamic axis named \"batch\" to state which "
        "extents are the batch");
    EXPECT_EQ(layer_named(network, "y").activations, 32u);
}

TEST(OnnxModel, CountsOneSampleWhateverTheBatch) {
    const domain::Network one = read(small_network(dynamic));
    for (const std::int64_t batch : {1, 32}) {
        const domain::Network same = read(small_network(batch));
        ASSERT_EQ(same.layers.size(), one.layers.size());
        for (std::size_t i = 0; i < one.layers.size(); ++i) {
            EXPECT_EQ(same.layers[i].mac, one.layers[i].mac) << batch;
            EXPECT_EQ(same.layers[i].activations, one.layers[i].activations) << batch;
            EXPECT_EQ(same.layers[i].parameters, one.layers[i].parameters) << batch;
            EXPECT_EQ(same.layers[i].output, one.layers[i].output) << batch;
        }
    }
}

TEST(OnnxModel, FollowsADynamicSequence) {
    ModelWriter writer;
    writer.input("ids", {dynamic, dynamic}, TensorProto::INT64).output("y");
    writer.weights("table", {100, 32}).weights("projection", {32, 100});
    writer.node("Gather", {"table", "ids"}, "embedded");
    writer.node("MatMul", {"embedded", "projection"}, "y");
    const domain::Network network = read(writer, {.sequence = 7});
    EXPECT_EQ(layer_named(network, "embedded").type, "embedding");
    EXPECT_EQ(layer_named(network, "embedded").parameters, 3200u);
    EXPECT_EQ(layer_named(network, "y").mac, 7u * 32 * 100);
}

TEST(OnnxModel, CountsATiedTableOnce) {
    ModelWriter writer;
    writer.input("ids", {dynamic, 4}, TensorProto::INT64).output("y");
    writer.weights("table", {100, 32});
    writer.node("Gather", {"table", "ids"}, "embedded");
    set_integers(writer.node("Transpose", {"table"}, "turned"), "perm", {1, 0});
    writer.node("MatMul", {"embedded", "turned"}, "y");
    std::uint64_t parameters = 0;
    for (const domain::Layer& layer : read(writer).layers) {
        parameters += layer.parameters;
    }
    EXPECT_EQ(parameters, 3200u);
}

TEST(OnnxModel, CountsRecurrentLayers) {
    ModelWriter writer;
    writer.input("x", {5, 1, 16}).output("y");
    writer.weights("w", {2, 32, 16}).weights("r", {2, 32, 8}).weights("b", {2, 64});
    NodeProto& lstm = writer.node("LSTM", {"x", "w", "r", "b"}, "y");
    set_integer(lstm, "hidden_size", 8);
    onnx::AttributeProto& direction = *lstm.add_attribute();
    direction.set_name("direction");
    direction.set_type(onnx::AttributeProto::STRING);
    direction.set_s("bidirectional");
    const domain::Layer layer = layer_named(read(writer), "y");
    EXPECT_EQ(layer.type, "lstm");
    EXPECT_EQ(layer.mac, 5u * 2 * 32 * (16 + 8));
    EXPECT_EQ(layer.parameters, 2u * 32 * (16 + 8) + 128);
    EXPECT_EQ(layer.activations, 5u * 2 * (32 + 16));
}

TEST(OnnxModel, CountsATransposedConvolutionByItsInput) {
    ModelWriter writer;
    writer.input("x", {dynamic, 4, 5, 5}).output("y").weights("w", {4, 6, 3, 3});
    set_integers(writer.node("ConvTranspose", {"x", "w"}, "y"), "strides", {2, 2});
    const domain::Layer layer = layer_named(read(writer), "y");
    EXPECT_EQ(layer.type, "transposed_conv2d");
    EXPECT_EQ(layer.output, (std::vector<std::uint64_t>{6, 11, 11}));
    EXPECT_EQ(layer.mac, 4u * 25 * 6 * 9);
}

TEST(OnnxModel, FollowsAReshapeByItsConstant) {
    ModelWriter writer;
    writer.input("x", {dynamic, 4, 6}).output("y").numbers("shape", {0, -1}).weights("w", {24, 5});
    writer.node("Reshape", {"x", "shape"}, "flat");
    writer.node("MatMul", {"flat", "w"}, "y");
    EXPECT_EQ(layer_named(read(writer), "y").mac, 120u);
}

NodeProto& constant(ModelWriter& writer, const std::string& name,
                    const std::vector<std::int64_t>& values) {
    NodeProto& node = writer.node("Constant", {}, name);
    set_integers(node, "value_ints", values);
    return node;
}

// As PyTorch exports expand(batch, -1, -1) of a class token, before it is joined to the patches:
// where a wanted extent is -1, the tensor's own is kept.
TEST(OnnxModel, FollowsTheExtentsThatNodesCompute) {
    ModelWriter writer;
    writer.input("x", {dynamic, 4, 8}).output("y");
    writer.weights("token", {1, 1, 8}).weights("w", {8, 3});
    writer.numbers("first", {0}).numbers("rest", {-1, -1}).numbers("ones", {3});
    writer.node("Shape", {"x"}, "extents");
    writer.node("Gather", {"extents", "first"}, "batch");
    set_integer(writer.node("Concat", {"batch", "rest"}, "wanted"), "axis", 0);
    writer.numbers("one", {1}).numbers("unknown", {-1});
    writer.node("ConstantOfShape", {"ones"}, "zeros").add_attribute()->set_name("value");
    TensorProto& zero = *writer.graph()
                             .mutable_node(writer.graph().node_size() - 1)
                             ->mutable_attribute(0)
                             ->mutable_t();
    zero.set_data_type(TensorProto::INT64);
    zero.add_dims(1);
    zero.add_int64_data(1);
    writer.node("Equal", {"wanted", "unknown"}, "is_kept");
    writer.node("Where", {"is_kept", "zeros", "wanted"}, "target");
    writer.node("Expand", {"token", "target"}, "tokens");
    set_integer(writer.node("Concat", {"tokens", "x"}, "all"), "axis", 1);
    writer.node("MatMul", {"all", "w"}, "y");
    const domain::Network network = read(writer);
    EXPECT_EQ(layer_named(network, "y").mac, 5u * 8 * 3);
    EXPECT_EQ(layer_named(network, "tokens").parameters, 8u);
}

// Bounds of a causal mask, the positions and the halves of a rotary embedding.
TEST(OnnxModel, FollowsRangesAndHalvesOfExtents) {
    ModelWriter writer;
    writer.input("x", {dynamic, dynamic, 8}).output("y");
    writer.weights("w", {4, 2}).weights("table", {64, 4});
    writer.numbers("two", {2}).numbers("zero", {0}).numbers("end", {9}).numbers("third", {2});
    writer.node("Shape", {"x"}, "extents");
    writer.node("Gather", {"extents", "third"}, "width");
    writer.node("Div", {"width", "two"}, "half");
    writer.node("Slice", {"x", "zero", "half", "third"}, "left");
    writer.node("Slice", {"x", "half", "end", "third"}, "right");
    writer.node("Neg", {"right"}, "turned");
    writer.node("Mul", {"left", "turned"}, "product");
    constant(writer, "second", {1});
    writer.node("Gather", {"extents", "second"}, "lengths");
    writer.node("Squeeze", {"lengths"}, "length");
    writer.node("Squeeze", {"zero"}, "begin");
    writer.node("Squeeze", {"second"}, "step");
    writer.node("Range", {"begin", "length", "step"}, "positions");
    writer.node("Gather", {"table", "positions"}, "embedded");
    writer.node("Add", {"product", "embedded"}, "sum");
    writer.node("MatMul", {"sum", "w"}, "y");
    const domain::Network network = read(writer, {.sequence = 6});
    EXPECT_EQ(layer_named(network, "embedded").output, (std::vector<std::uint64_t>{6, 4}));
    EXPECT_EQ(layer_named(network, "y").mac, 6u * 4 * 2);
}

// Half of what a list holds is known: the library takes as much.
TEST(OnnxModel, FollowsListsThatAreKnownInPart) {
    ModelWriter writer;
    writer.input("x", {dynamic, 6}).input("ids", {dynamic}, TensorProto::INT64).output("y");
    writer.weights("w", {6, 2}).numbers("second", {1}).numbers("all", {-1});
    writer.node("NonZero", {"ids"}, "places");
    writer.node("Shape", {"places"}, "extents");
    writer.node("Concat", {"all", "extents"}, "unused").add_attribute()->set_name("axis");
    writer.numbers("zero", {0});
    writer.node("Gather", {"extents", "zero"}, "rank");
    set_integer(writer.node("Concat", {"rank", "all"}, "target"), "axis", 0);
    writer.node("Reshape", {"x", "target"}, "column");
    writer.node("Flatten", {"column"}, "flat");
    writer.node("MatMul", {"flat", "w"}, "y");
    EXPECT_EQ(layer_named(read(writer), "y").mac, 6u * 2);
}

TEST(OnnxModel, SaysOnWhatAShapeDepends) {
    ModelWriter writer;
    writer.input("x", {dynamic, 4}).input("extents", {2}, TensorProto::INT64).output("y");
    writer.numbers("two", {2});
    writer.node("Mul", {"extents", "two"}, "doubled");
    writer.node("Expand", {"x", "doubled"}, "large");
    writer.node("Relu", {"large"}, "y");
    const auto network = read_onnx_model(writer.bytes(), "net.onnx");
    ASSERT_FALSE(network);
    EXPECT_EQ(
        network.error().message,
        "\"net.onnx\": node \"large\": the shape of \"large\" cannot be inferred: it depends on "
        "the data of \"extents\"; export the network with fixed extents, or without what "
        "depends on data");
    ModelWriter unheard = small_network(dynamic);
    unheard.graph().mutable_node(1)->set_op_type("Unheard");
    const auto refusal = read_onnx_model(unheard.bytes(), "net.onnx");
    ASSERT_FALSE(refusal);
    EXPECT_NE(refusal.error().message.find("it depends on operator \"Unheard\" of node \"relu\""),
              std::string::npos)
        << refusal.error().message;
}

// Both ask for more than any machine has, by numbers that are computed, for nothing.
TEST(OnnxModel, FollowsNothingBeyondItsLimits) {
    for (const char* const operation : {"Expand", "Tile"}) {
        ModelWriter writer = small_network(dynamic);
        writer.numbers("many", {std::int64_t{1} << 31}).numbers("more", {1 << 16});
        writer.node("Mul", {"many", "more"}, "count");
        writer.node(operation, {"more", "count"}, "numbers");
        writer.node("Add", {"numbers", "numbers"}, "sum");
        EXPECT_FALSE(read(writer).layers.empty()) << operation;
    }
}

ModelWriter einsum(const std::string& text) {
    ModelWriter writer;
    writer.input("a", {1, 2, 3, 4}).input("b", {1, 2, 5, 4}).output("y").weights("w", {5, 7});
    onnx::AttributeProto& equation = *writer.node("Einsum", {"a", "b"}, "scores").add_attribute();
    equation.set_name("equation");
    equation.set_type(onnx::AttributeProto::STRING);
    equation.set_s(text);
    writer.node("MatMul", {"scores", "w"}, "y");
    return writer;
}

TEST(OnnxModel, CountsAnEinsumByItsLabels) {
    for (const char* const equation :
         {"bhid,bhjd->bhij", "...id,...jd->...ij", "b h i d, b h j d -> b h i j",
          "B H I D, B H J D -> B H I J"}) {
        const domain::Network network = read(einsum(equation));
        EXPECT_EQ(layer_named(network, "scores").mac, 2u * 3 * 5 * 4) << equation;
        EXPECT_EQ(layer_named(network, "y").mac, 2u * 3 * 5 * 7) << equation;
    }
    EXPECT_EQ(layer_named(read(einsum("bhid,bhjd")), "scores").output,
              (std::vector<std::uint64_t>{3, 5}));
}

// Learned queries, and a bias that is trained, are weights; what it multiplies is attention's.
TEST(OnnxModel, CountsAnAttentionAsItsTwoProducts) {
    const auto sums_of = [](const domain::Network& network) {
        std::pair<std::uint64_t, std::uint64_t> sums;
        for (const domain::Layer& layer : network.layers) {
            sums.first += layer.mac;
            sums.second += layer.parameters;
        }
        return sums;
    };
    const auto network_of = [](bool is_one) {
        ModelWriter writer;
        writer.model().mutable_opset_import(0)->set_version(23);
        writer.input("k", {1, 8, 9, 64}).input("v", {1, 8, 9, 32});
        writer.weights("q", {1, 8, 16, 64}).weights("bias", {8, 16, 9});
        if (is_one) {
            writer.node("Attention", {"q", "k", "v", "bias"}, "y");
        } else {
            set_integers(writer.node("Transpose", {"k"}, "t"), "perm", {0, 1, 3, 2});
            writer.node("MatMul", {"q", "t"}, "scores");
            writer.node("Add", {"scores", "bias"}, "biased");
            writer.node("Softmax", {"biased"}, "parts");
            writer.node("MatMul", {"parts", "v"}, "y");
        }
        writer.output("y");
        return read(writer);
    };
    const domain::Network one = network_of(true);
    EXPECT_EQ(sums_of(one), sums_of(network_of(false)));
    EXPECT_EQ(one.layers.back().kind, domain::LayerKind::attention);
    EXPECT_EQ(one.layers.back().activations, 8u * 16 * 32);
}

TEST(OnnxModel, RefusesAnEinsumThatDoesNotFit) {
    for (const char* const equation :
         {"bhid,bhj->bhij", "bhidx,bhjd->bhij", "bhid->bhid", "bhid,bhjd,k->bhij",
          "bhid,bhjd->bhik", "...id,...kjd->...ij", ""}) {
        EXPECT_FALSE(read_onnx_model(einsum(equation).bytes(), "net.onnx")) << equation;
    }
}

TEST(OnnxModel, CountsWeightsInOtherFilesWithoutOpeningThem) {
    ModelWriter writer = small_network(dynamic);
    TensorProto& weights = *writer.graph().mutable_initializer(0);
    weights.clear_raw_data();
    weights.set_data_location(TensorProto::EXTERNAL);
    auto& location = *weights.add_external_data();
    location.set_key("location");
    location.set_value("/dev/zero");
    EXPECT_EQ(layer_named(read(writer), "conv").weights, 576u);
}

struct Refused {
    const char* sentence;
    std::function<void(ModelWriter&)> spoil;
    std::string part;  // of the message
};

const Refused refused[] = {
    {"an operator of a domain that is not known",
     [](ModelWriter& w) { w.graph().mutable_node(0)->set_domain("com.x"); },
     "operator \"Conv\" of \"com.x\" is not known"},
    {"a node with a graph of its own",
     [](ModelWriter& w) { w.graph().mutable_node(1)->add_attribute()->mutable_g(); },
     "the work of operator \"Relu\" cannot be counted"},
    {"quantised operators",
     [](ModelWriter& w) { w.graph().mutable_node(0)->set_op_type("ConvInteger"); },
     "the work of operator \"ConvInteger\" cannot be counted"},
    {"too little data in a tensor",
     [](ModelWriter& w) { w.graph().mutable_initializer(1)->set_raw_data("abc"); },
     "tensor \"conv.bias\" does not hold as many bytes as its extents say"},
    {"a negative extent", [](ModelWriter& w) { w.graph().mutable_initializer(0)->set_dims(0, -4); },
     "tensor \"conv.weight\" has a negative extent"},
    {"no nodes", [](ModelWriter& w) { w.graph().clear_node(); }, "there is no graph in it"},
    {"an input without a shape", [](ModelWriter& w) { w.graph().mutable_input(0)->clear_type(); },
     "has no known shape"},
    {"a second dynamic extent",
     [](ModelWriter& w) {
         auto& shape =
             *w.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
         shape.mutable_dim(2)->set_dim_param("height");
     },
     "has a dynamic extent \"height\"; say how long it is with --sequence"},
    {"an operator without shapes",
     [](ModelWriter& w) { w.graph().mutable_node(1)->set_op_type("Unheard"); },
     "the shape of \"relu\" cannot be inferred"},
    {"extents that no memory could hold",
     [](ModelWriter& w) {
         auto& shape =
             *w.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
         shape.mutable_dim(2)->set_dim_value(std::int64_t{1} << 30);
         shape.mutable_dim(3)->set_dim_value(std::int64_t{1} << 30);
     },
     "larger than any machine could train"},
    {"a convolution whose weights have other dimensions than its input",
     [](ModelWriter& w) {
         w.graph()
             .mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->mutable_shape()
             ->mutable_dim()
             ->DeleteSubrange(2, 2);
     },
     "node \"conv\": operator \"Conv\": its input has 2 dimensions and its weights have 4"},
    {"a convolution without weights",
     [](ModelWriter& w) { w.graph().mutable_node(0)->mutable_input()->DeleteSubrange(1, 2); },
     "node \"conv\": operator \"Conv\": it needs an input and weights, and has 1 of them"},
    {"a version of operators that is not said",
     [](ModelWriter& w) { w.model().clear_opset_import(); },
     "it does not say which version of ONNX's operators it uses"},
    {"a node that the library divides by zero for",
     [](ModelWriter& w) {
         NodeProto& pool = *w.graph().mutable_node(1);
         pool.set_op_type("MaxPool");
         set_integers(pool, "kernel_shape", {2, 2});
         set_integers(pool, "strides", {0, 0});
     },
     "node \"relu\": operator \"MaxPool\": the ONNX library crashes on it"},
};

TEST(OnnxModel, SaysWhatItCannotCount) {
    for (const Refused& row : refused) {
        ModelWriter writer = small_network(dynamic);
        row.spoil(writer);
        const Expected<domain::Network> network = read_onnx_model(writer.bytes(), "net.onnx");
        ASSERT_FALSE(network) << row.sentence;
        EXPECT_NE(network.error().message.find(row.part), std::string::npos)
            << row.sentence << ": " << network.error().message;
    }
}

// Names are optional in the format.
TEST(OnnxModel, NamesANodeWithoutANameByItsPlace) {
    const Refused nameless[] = {
        {"an operator of a domain that is not known",
         [](ModelWriter& w) { w.graph().mutable_node(1)->set_domain("com.x"); },
         "node \"Relu_2\": operator \"Relu\" of \"com.x\" is not known"},
        {"a node that does not fit",
         [](ModelWriter& w) { w.graph().mutable_node(0)->mutable_input()->DeleteSubrange(1, 2); },
         "node \"Conv_1\": operator \"Conv\": it needs an input and weights"},
        {"one that the library crashes on",
         [](ModelWriter& w) {
             NodeProto& pool = *w.graph().mutable_node(1);
             pool.set_op_type("MaxPool");
             set_integers(pool, "kernel_shape", {2, 2});
             set_integers(pool, "strides", {0, 0});
         },
         "node \"MaxPool_2\": operator \"MaxPool\": the ONNX library crashes on it"},
        {"one whose result is not known",
         [](ModelWriter& w) { w.graph().mutable_node(1)->set_op_type("Unheard"); },
         "it depends on operator \"Unheard\" of node \"Unheard_2\""},
    };
    for (const Refused& row : nameless) {
        ModelWriter writer = small_network(dynamic);
        for (NodeProto& node : *writer.graph().mutable_node()) {
            node.clear_name();
        }
        row.spoil(writer);
        const Expected<domain::Network> network = read_onnx_model(writer.bytes(), "net.onnx");
        ASSERT_FALSE(network) << row.sentence;
        EXPECT_NE(network.error().message.find(row.part), std::string::npos)
            << row.sentence << ": " << network.error().message;
    }
}

// In less memory than a model may take, so that the test is quick and the machine need not have
// that: a limit that is lower already stays.
void read_in_little_memory() {
    const rlimit little{rlim_t{512} << 20, rlim_t{512} << 20};
    setrlimit(RLIMIT_AS, &little);
    ModelWriter endless = small_network(dynamic);
    endless.input("extents", {2147483647}, TensorProto::INT64);
    endless.graph().mutable_node(1)->set_op_type("ConstantOfShape");
    endless.graph().mutable_node(1)->set_input(0, "extents");
    const auto refusal = read_onnx_model(endless.bytes(), "net.onnx");
    std::fputs(refusal ? "it was read" : refusal.error().message.c_str(), stderr);
    _exit(read_onnx_model(small_network(dynamic).bytes(), "net.onnx") ? 0 : 1);
}

TEST(OnnxModel, RefusesANodeThatTakesAllMemoryAndStillReadsOthers) {
    if (tests::is_sanitized()) {
        GTEST_SKIP() << "AddressSanitizer takes terabytes itself";
    }
    EXPECT_EXIT(
        read_in_little_memory(), testing::ExitedWithCode(0),
        "^\"net.onnx\": node \"relu\": operator \"ConstantOfShape\": the ONNX library needs "
        "more memory for it than it may have, 3 GiB at most; check the number and the "
        "dimensions of its inputs$");
}

TEST(OnnxModel, RefusesWhatIsNoModel) {
    const std::string whole = small_network(dynamic).bytes();
    for (const std::string& bytes :
         {std::string("no protobuf"), std::string(), whole.substr(0, whole.size() / 2)}) {
        EXPECT_FALSE(read_onnx_model(bytes, "net.onnx"));
    }
    EXPECT_EQ(read_onnx_file("/nowhere/net.onnx").error().message,
              "cannot open \"/nowhere/net.onnx\": No such file or directory");
}

TEST(OnnxModel, RefusesASequenceWhereThereIsNone) {
    const auto network =
        read_onnx_model(small_network(dynamic).bytes(), "net.onnx", {.sequence = 8});
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().kind, ErrorKind::wrong_use);
}

}  // namespace
}  // namespace hora::read
