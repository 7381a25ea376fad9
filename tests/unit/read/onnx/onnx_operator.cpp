#include "libplanner/read/onnx/onnx_operator.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using model::Count;
using onnx::NodeProto;

using Extents = std::vector<std::int64_t>;

struct Case {
    const char* sentence;
    std::string type;
    std::vector<Extents> inputs;
    Extents output;
    std::optional<std::uint64_t> mac;  // nothing: it cannot be counted
    std::string attribute = {};
    std::string text = {};
    std::int64_t number = 0;
};

// By ONNX's definitions: which inputs there are, and in which order their extents are.
const Case cases[] = {
    {"a convolution, 4 -> 6 channels, 3 x 3",
     "Conv",
     {{1, 4, 8, 8}, {6, 4, 3, 3}},
     {1, 6, 6, 6},
     6 * 36 * 4 * 9},
    {"one of two groups", "Conv", {{1, 4, 8, 8}, {6, 2, 3, 3}}, {1, 6, 6, 6}, 6 * 36 * 2 * 9},
    {"along a line", "Conv", {{2, 4, 8}, {6, 4, 3}}, {2, 6, 6}, 2 * 6 * 6 * 4 * 3},
    {"a transposed one, 4 -> 6 channels",
     "ConvTranspose",
     {{1, 4, 5, 5}, {4, 6, 3, 3}},
     {1, 6, 11, 11},
     4 * 25 * 6 * 9},
    {"a convolution without weights", "Conv", {{1, 4, 8, 8}}, {1, 6, 6, 6}, {}},
    {"matrices", "MatMul", {{2, 3}, {3, 4}}, {2, 4}, 2 * 3 * 4},
    {"a batch of them", "MatMul", {{7, 2, 3}, {7, 3, 4}}, {7, 2, 4}, 7 * 2 * 3 * 4},
    {"one with a batch", "MatMul", {{2, 3}, {7, 3, 4}}, {7, 2, 4}, 7 * 2 * 3 * 4},
    {"a row and a matrix", "MatMul", {{3}, {3, 4}}, {4}, 3 * 4},
    {"a matrix and a column", "MatMul", {{2, 3}, {3}}, {2}, 2 * 3},
    {"a product of two lists", "MatMul", {{3}, {3}}, {}, 3},
    {"matrices without columns", "MatMul", {{2, 0}, {0, 4}}, {2, 4}, 0},
    {"dense", "Gemm", {{2, 3}, {3, 4}}, {2, 4}, 2 * 3 * 4, "transB", "", 0},
    {"dense, the weights turned", "Gemm", {{2, 3}, {4, 3}}, {2, 4}, 2 * 3 * 4, "transB", "", 1},
    {"dense, the input turned", "Gemm", {{3, 2}, {3, 4}}, {2, 4}, 2 * 3 * 4, "transA", "", 1},
    {"an input not turned", "Gemm", {{2, 3}, {3, 4}}, {2, 4}, 2 * 3 * 4, "transA", "", 0},
    {"a recurrent layer, 5 positions of 2",
     "RNN",
     {{5, 2, 16}, {1, 8, 16}, {1, 8, 8}},
     {5, 1, 2, 8},
     10 * 8 * (16 + 8)},
    {"both ways with four gates",
     "LSTM",
     {{5, 2, 16}, {2, 32, 16}, {2, 32, 8}},
     {5, 2, 2, 8},
     10 * 2 * 32 * (16 + 8)},
    {"three gates", "GRU", {{5, 2, 16}, {1, 24, 16}, {1, 24, 8}}, {5, 1, 2, 8}, 10 * 24 * (16 + 8)},
    {"recurrent without a state", "RNN", {{5, 2, 16}, {1, 8, 16}}, {5, 1, 2, 8}, {}},
    {"recurrent of two extents", "RNN", {{5, 16}, {1, 8, 16}, {1, 8, 8}}, {5, 8}, {}},
    {"scores of attention",
     "Einsum",
     {{1, 2, 3, 4}, {1, 2, 5, 4}},
     {1, 2, 3, 5},
     2 * 3 * 4 * 5,
     "equation",
     "bhid,bhjd->bhij"},
    {"attention",
     "Attention",
     {{1, 8, 16, 64}, {1, 8, 9, 64}, {1, 8, 9, 32}},
     {1, 8, 16, 32},
     8 * 16 * 9 * (64 + 32)},
    {"attention to a past as well",
     "Attention",
     {{1, 8, 1, 64}, {1, 8, 1, 64}, {1, 8, 1, 64}, {1, 10}, {1, 8, 9, 64}},
     {1, 8, 1, 64},
     8 * 10 * (64 + 64)},
    {"attention without values", "Attention", {{1, 8, 16, 64}, {1, 8, 9, 64}}, {1, 8, 16, 32}, {}},
    {"a sum multiplies nothing", "Einsum", {{2, 3}}, {2}, 0, "equation", "ij->i"},
    {"extents that differ", "Einsum", {{2, 3}, {5, 4}}, {2, 4}, {}, "equation", "ij,jk->ik"},
    {"more than can be counted",
     "MatMul",
     {{1ll << 40, 1ll << 40}, {1ll << 40, 1ll << 40}},
     {1ll << 40, 1ll << 40},
     Count::top},
};

TEST(OnnxOperator, CountsMultiplyAdds) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        ModelWriter writer;
        NodeProto& node = writer.node(row.type, {}, "y");
        for (std::size_t i = 0; i < row.inputs.size(); ++i) {
            node.add_input("i" + std::to_string(i));
            writer.input("i" + std::to_string(i), row.inputs[i]);
        }
        writer.input("y", row.output);
        if (!row.attribute.empty()) {
            set_integer(node, row.attribute, row.number);
            node.mutable_attribute(0)->set_s(row.text);
        }
        const OnnxGraph graph(writer.graph(), {}, {});
        const auto mac = onnx_operator(row.type).mac(NodeReader(node, graph));
        ASSERT_EQ(mac.has_value(), row.mac.has_value()) << (mac ? "" : mac.error().message);
        if (mac) {
            EXPECT_EQ(mac->value(), *row.mac);
        }
    }
}

// They multiply what is not counted: better refused than counted as nothing.
TEST(OnnxOperator, SupportsNoneWhoseWorkItCannotCount) {
    for (const char* const name : {"Loop", "Scan", "ConvInteger", "MatMulInteger", "QLinearConv",
                                   "QLinearMatMul", "DeformConv"}) {
        EXPECT_EQ(onnx_operator(name).role, OnnxRole::is_unsupported) << name;
    }
}

TEST(OnnxOperator, TakesEveryOtherForElementWise) {
    for (const char* const name : {"Add", "", "conv", "Conv ", "Convolution"}) {
        EXPECT_EQ(onnx_operator(name).type, "element_wise") << name;
        EXPECT_EQ(onnx_operator(name).role, OnnxRole::writes) << name;
        EXPECT_EQ(onnx_operator(name).mac, nullptr) << name;
    }
    EXPECT_EQ(onnx_operator("Conv").type, "conv");
    EXPECT_EQ(onnx_operator("Dropout").role, OnnxRole::is_view);
    EXPECT_EQ(onnx_operator("Clip").role, OnnxRole::has_settings);
}

TEST(OnnxOperator, ReadsShapesOfANode) {
    ModelWriter writer;
    writer.input("x", {2, 3}).input("h", {4});
    NodeProto& node = writer.node("LSTM", {"x", "nowhere"}, "");
    node.add_output("h");
    ShapeGaps gaps;
    gaps.add("nowhere", gaps.add_reason("it depends on the weather"));
    const OnnxGraph graph(writer.graph(), {}, gaps);
    const NodeReader reader(node, graph);
    EXPECT_EQ(*reader.input(0), (model::Shape{2, 3}));
    EXPECT_EQ(reader.first_output(), "h");
    EXPECT_EQ(*reader.output(), model::Shape{4});
    EXPECT_EQ(reader.input(2).error().message, "it has no input 2");
    EXPECT_EQ(reader.input(1).error().message,
              "the shape of \"nowhere\" cannot be inferred: it depends on the weather; export the "
              "network with fixed extents, or without what depends on data");
    EXPECT_EQ(reader.attribute("layout"), nullptr);
    const NodeProto none;
    EXPECT_EQ(NodeReader(none, graph).first_output(), "");
    EXPECT_FALSE(NodeReader(none, graph).output());
}

}  // namespace
}  // namespace hora::read
