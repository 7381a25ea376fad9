#include "libplanner/read/onnx/onnx_parameters.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using onnx::TensorProto;

using Names = std::unordered_map<std::string, std::string>;

// Numbers all of which differ, row by row or column by column.
void add_matrix(ModelWriter& writer, const std::string& name, std::int64_t rows,
                std::int64_t columns, bool is_transposed = false) {
    std::string bytes;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const auto value =
                static_cast<float>(is_transposed ? column * rows + row : row * columns + column);
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
    }
    TensorProto& tensor = *writer.graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_dims(rows);
    tensor.add_dims(columns);
    tensor.set_raw_data(bytes);
}

Names parameters_of(ModelWriter writer) {
    const auto initializers = strip_initializers(writer.graph());
    EXPECT_TRUE(initializers);
    return initializers ? find_parameters(writer.graph(), *initializers) : Names();
}

void add_constant(ModelWriter& writer, const std::string& name, std::int32_t type,
                  const std::vector<std::int64_t>& extents, std::size_t bytes) {
    onnx::AttributeProto& value = *writer.node("Constant", {}, name).add_attribute();
    value.set_name("value");
    value.mutable_t()->set_data_type(type);
    value.mutable_t()->mutable_dims()->Add(extents.begin(), extents.end());
    value.mutable_t()->set_raw_data(std::string(bytes - 1, 1) + '\2');
}

TEST(OnnxParameters, AreFloatsOfInitializersAndConstants) {
    ModelWriter writer;
    writer.input("x", {2, 3}).numbers("shape", {3, 2});
    writer.weights("w", {3, 2}).weights("bias of one", {1}).weights("scale", {});
    add_constant(writer, "several", TensorProto::FLOAT, {1, 2}, 8);
    add_constant(writer, "half", TensorProto::FLOAT16, {2}, 4);
    add_constant(writer, "one", TensorProto::FLOAT, {1, 1}, 4);
    add_constant(writer, "whole", TensorProto::INT32, {2}, 8);
    set_integers(writer.node("Constant", {}, "list"), "value_ints", {1, 2});
    EXPECT_EQ(
        parameters_of(writer),
        (Names{
            {"w", "w"}, {"bias of one", "bias of one"}, {"several", "several"}, {"half", "half"}}));
}

struct Held {
    const char* sentence;
    std::function<void(TensorProto& tensor)> fill;  // of four numbers
    bool is_trained;
};

const Held held[] = {
    {"bytes", [](TensorProto& t) { t.set_raw_data("aaaabbbbaaaaaaaa"); }, true},
    {"the same bytes", [](TensorProto& t) { t.set_raw_data("abcdabcdabcdabcd"); }, false},
    {"numbers",
     [](TensorProto& t) {
         for (const float number : {0.F, 0.F, 0.F, 1.F}) {
             t.add_float_data(number);
         }
     },
     true},
    {"the same numbers",
     [](TensorProto& t) {
         for (int i = 0; i < 4; ++i) {
             t.add_float_data(1);
         }
     },
     false},
    {"long ones",
     [](TensorProto& t) {
         t.set_data_type(TensorProto::DOUBLE);
         for (const double number : {1., 0., 1., 1.}) {
             t.add_double_data(number);
         }
     },
     true},
    {"short ones",
     [](TensorProto& t) {
         t.set_data_type(TensorProto::FLOAT16);
         for (const int number : {1, 1, 1, 0}) {
             t.add_int32_data(number);
         }
     },
     true},
    {"in another file", [](TensorProto& t) { t.set_data_location(TensorProto::EXTERNAL); }, true},
    {"in no file", [](TensorProto&) {}, false},
};

// PyTorch writes a GroupNorm by constants of ones and of zeros.
TEST(OnnxParameters, AreConstantsOfDifferentNumbers) {
    for (const Held& row : held) {
        ModelWriter writer;
        onnx::AttributeProto& value = *writer.node("Constant", {}, "c").add_attribute();
        value.set_name("value");
        value.mutable_t()->set_data_type(TensorProto::FLOAT);
        value.mutable_t()->add_dims(2);
        value.mutable_t()->add_dims(2);
        row.fill(*value.mutable_t());
        EXPECT_EQ(parameters_of(writer).contains("c"), row.is_trained) << row.sentence;
    }
}

TEST(OnnxParameters, AreConstantsOfNumbersOfLessThanAByte) {
    constexpr std::int32_t int4 = 22;
    ModelWriter writer;
    add_constant(writer, "c", int4, {128, 64}, 4096);
    writer.node("DequantizeLinear", {"c", "scale"}, "w");
    EXPECT_TRUE(parameters_of(writer).contains("w"));
}

TEST(OnnxParameters, AreTheSameHoweverTheyAreTurnedRound) {
    for (const char* const type : {"Cast", "Dropout", "Flatten", "Reshape", "Squeeze", "Transpose",
                                   "Unsqueeze", "QuantizeLinear", "DequantizeLinear"}) {
        ModelWriter writer;
        writer.input("x", {2, 3}).weights("w", {3, 2}).numbers("shape", {2, 3});
        writer.node(type, {"w", "shape"}, "once");
        writer.node(type, {"once", "shape"}, "twice");
        writer.node(type, {"x", "shape"}, "y");
        EXPECT_EQ(parameters_of(writer), (Names{{"w", "w"}, {"once", "w"}, {"twice", "w"}}))
            << type;
    }
    ModelWriter scaled;
    scaled.weights("w", {3, 2}).weights("factor", {2});
    scaled.node("Mul", {"w", "factor"}, "product");
    scaled.node("Reshape", {"factor", "w"}, "");
    EXPECT_FALSE(parameters_of(scaled).contains("product"));
}

// As PyTorch writes tensors of the same numbers.
TEST(OnnxParameters, AreTheirOwnBehindIdentitiesAtTheFront) {
    ModelWriter writer;
    writer.input("x", {2, 2}).weights("a.weight", {2, 2}).weights("onnx::MatMul_7", {2, 2});
    writer.node("Identity", {"a.weight"}, "b.weight");
    writer.node("Identity", {"onnx::MatMul_7"}, "onnx::MatMul_8");
    writer.node("Transpose", {"b.weight"}, "turned");
    writer.node("Identity", {"a.weight"}, "same");
    EXPECT_EQ(parameters_of(writer), (Names{{"a.weight", "a.weight"},
                                            {"b.weight", "b.weight"},
                                            {"turned", "b.weight"},
                                            {"same", "a.weight"},
                                            {"onnx::MatMul_7", "onnx::MatMul_7"},
                                            {"onnx::MatMul_8", "onnx::MatMul_8"}}));
}

// As it writes what it has made of the weights of a layer that is used twice.
TEST(OnnxParameters, AreTheSameBehindIdentitiesThatHaveNoNamesOfTheirOwn) {
    ModelWriter writer;
    writer.input("x", {2, 2}).weights("onnx::MatMul_7", {2, 2}).numbers("n", {1, 2});
    writer.node("Identity", {"onnx::MatMul_7"}, "onnx::MatMul_8");
    EXPECT_EQ(parameters_of(writer),
              (Names{{"onnx::MatMul_7", "onnx::MatMul_7"}, {"onnx::MatMul_8", "onnx::MatMul_7"}}));
    ModelWriter whole;
    whole.numbers("a.places", {1, 2}).node("Identity", {"a.places"}, "b.places");
    EXPECT_EQ(parameters_of(whole), Names());
}

// As a quantised network keeps them.
TEST(OnnxParameters, MayBeWholeNumbersThatAreScaled) {
    ModelWriter writer;
    writer.input("x", {2, 3}).weights("w", {3, 2}).weights("bias", {2}).weights("zero", {});
    for (const int place : {0, 1, 2}) {
        writer.graph().mutable_initializer(place)->set_data_type(TensorProto::INT8);
        writer.graph().mutable_initializer(place)->set_data_location(TensorProto::EXTERNAL);
    }
    writer.node("DequantizeLinear", {"w", "scale", "zero"}, "scaled");
    writer.node("Transpose", {"scaled"}, "turned");
    writer.node("DequantizeLinear", {"zero", "scale"}, "number");
    writer.node("DequantizeLinear", {"x", "scale"}, "data");
    writer.node("Add", {"bias", "bias"}, "places");
    EXPECT_EQ(parameters_of(writer), (Names{{"w", "w"}, {"scaled", "w"}, {"turned", "w"}}));
}

TEST(OnnxParameters, MayBeScaledWhereverTheyStand) {
    ModelWriter writer;
    writer.weights("w", {3, 2}).weights("v", {3, 2}).weights("rest", {3, 2});
    for (TensorProto& tensor : *writer.graph().mutable_initializer()) {
        tensor.set_data_type(TensorProto::INT8);
        tensor.set_data_location(TensorProto::EXTERNAL);
    }
    add_constant(writer, "constant", TensorProto::UINT8, {3, 2}, 6);
    add_constant(writer, "number", TensorProto::INT8, {1}, 1);
    writer.node("DequantizeLinear", {"constant", "scale"}, "scaled constant");
    writer.node("DequantizeLinear", {"number", "scale"}, "scaled number");
    writer.node("Transpose", {"w"}, "turned");
    writer.node("Reshape", {"turned", "shape"}, "shaped");
    writer.node("DequantizeLinear", {"shaped", "scale"}, "scaled");
    writer.node("Relu", {"scaled"}, "activated");
    writer.node("Split", {"v"}, "first").add_output("second");
    writer.node("DequantizeLinear", {"second", "scale"}, "scaled part");
    writer.node("Identity", {"rest"}, "moved rest");
    EXPECT_EQ(parameters_of(writer), (Names{{"constant", "constant"},
                                            {"scaled constant", "constant"},
                                            {"w", "w"},
                                            {"shaped", "w"},
                                            {"scaled", "w"},
                                            {"v", "v"},
                                            {"second", "v"},
                                            {"scaled part", "v"}}));
}

// As a fused projection, or layers in one stack, that a network takes apart.
TEST(OnnxParameters, AreTheSameInEachPart) {
    ModelWriter writer;
    writer.input("x", {2, 8}).weights("w", {8, 12}).numbers("start", {0}).numbers("end", {4});
    writer.node("Slice", {"w", "start", "end"}, "slice");
    writer.node("Slice", {"x", "start", "end"}, "slice of x");
    writer.node("Split", {"w"}, "first").add_output("second");
    writer.node("Split", {"x"}, "first of x").add_output("second of x");
    writer.node("Transpose", {"second"}, "turned");
    EXPECT_EQ(
        parameters_of(writer),
        (Names{{"w", "w"}, {"slice", "w"}, {"first", "w"}, {"second", "w"}, {"turned", "w"}}));
}

// Rows that a batch of places picks are an embedding: its layer writes them at every step.
TEST(OnnxParameters, AreTheSameWhereConstantsPickAPart) {
    ModelWriter writer;
    writer.input("x", {2, 8}).input("ids", {3}, TensorProto::INT64).weights("w", {4, 8, 12});
    writer.numbers("places", {0, 2});
    add_constant(writer, "place", TensorProto::INT64, {}, 8);
    add_constant(writer, "batch", TensorProto::INT64, {1, 1}, 8);
    set_integer(writer.node("Constant", {}, "last"), "value_int", -1);
    set_integers(writer.node("Constant", {}, "both"), "value_ints", {0, 1});
    for (const char* const indices : {"places", "place", "batch", "last", "both", "ids", "x"}) {
        writer.node("Gather", {"w", indices}, std::string("by ") + indices);
        writer.node("Gather", {"x", indices}, std::string("x by ") + indices);
    }
    writer.node("Gather", {"w"}, "by nothing");
    EXPECT_EQ(parameters_of(writer), (Names{{"w", "w"},
                                            {"by places", "w"},
                                            {"by place", "w"},
                                            {"by last", "w"},
                                            {"by both", "w"}}));
}

TEST(OnnxParameters, HoldNothingOfNodesWithoutInputsOrOutputs) {
    ModelWriter writer;
    writer.weights("w", {3, 2});
    writer.graph().add_node()->set_op_type("Identity");
    writer.graph().add_node()->set_op_type("Constant");
    onnx::NodeProto& lone = *writer.graph().add_node();
    lone.set_op_type("Reshape");
    lone.add_input("w");
    EXPECT_EQ(parameters_of(writer), (Names{{"w", "w"}}));
}

TEST(OnnxParameters, AreFixedWhereNoInputTakesPart) {
    ModelWriter writer;
    writer.input("x", {2, 3}).weights("w", {2, 3}).numbers("shape", {3, 2});
    add_constant(writer, "one", TensorProto::FLOAT, {}, 4);
    writer.node("Mul", {"w", "one"}, "scaled");
    writer.node("Clip", {"scaled", "", "one"}, "low");
    writer.node("Shape", {"x"}, "extents");
    writer.node("Expand", {"w", "extents"}, "spread");
    writer.node("Add", {"x", "w"}, "sum");
    writer.node("RandomNormal", {}, "noise");
    writer.node("Relu", {""}, "of nothing");
    writer.node("Split", {"w"}, "").add_output("part");
    const auto initializers = strip_initializers(writer.graph());
    ASSERT_TRUE(initializers);
    EXPECT_EQ(find_fixed(writer.graph(), *initializers),
              (std::unordered_set<std::string>{"w", "shape", "one", "scaled", "low", "part"}));
}

ModelWriter tied(const std::string& table, const std::string& weights) {
    ModelWriter writer;
    writer.node("Gather", {table, "ids"}, "embedded");
    writer.node("MatMul", {"embedded", weights}, "scores");
    return writer;
}

TEST(OnnxParameters, FindsTheTableBehindATransposedCopy) {
    ModelWriter writer = tied("table", "copy");
    add_matrix(writer, "table", 5, 3);
    add_matrix(writer, "copy", 3, 5, true);
    EXPECT_EQ(find_transposed_copies(writer.graph()), (Names{{"copy", "table"}}));
    const Names parameters = parameters_of(writer);
    EXPECT_EQ(parameters.at("copy"), "table");
    EXPECT_EQ(parameters.at("table"), "table");
}

struct Other {
    const char* sentence;
    void (*spoil)(TensorProto& copy);
};

const Other others[] = {
    {"one number is another", [](TensorProto& copy) { copy.mutable_raw_data()->back() = '\x55'; }},
    {"the first number is another",
     [](TensorProto& copy) { copy.mutable_raw_data()->front() = '\x55'; }},
    {"another type", [](TensorProto& copy) { copy.set_data_type(TensorProto::DOUBLE); }},
    {"whole numbers", [](TensorProto& copy) { copy.set_data_type(TensorProto::INT32); }},
    {"other extents", [](TensorProto& copy) { copy.set_dims(0, 15), copy.set_dims(1, 1); }},
    {"extents of before it was turned round",
     [](TensorProto& copy) { copy.set_dims(0, 5), copy.set_dims(1, 3); }},
    {"a third dimension", [](TensorProto& copy) { copy.add_dims(1); }},
    {"fewer bytes", [](TensorProto& copy) { copy.mutable_raw_data()->pop_back(); }},
    {"no bytes", [](TensorProto& copy) { copy.clear_raw_data(); }},
    {"extents as large as can be",
     [](TensorProto& copy) { copy.set_dims(0, INT64_MAX), copy.set_dims(1, INT64_MAX); }},
};

TEST(OnnxParameters, TakesNothingElseForACopy) {
    for (const Other& row : others) {
        ModelWriter writer = tied("table", "copy");
        add_matrix(writer, "table", 5, 3);
        add_matrix(writer, "copy", 3, 5, true);
        row.spoil(*writer.graph().mutable_initializer(1));
        EXPECT_EQ(find_transposed_copies(writer.graph()), Names()) << row.sentence;
    }
    ModelWriter unread = tied("table", "other");
    add_matrix(unread, "table", 5, 3);
    add_matrix(unread, "copy", 3, 5, true);
    EXPECT_EQ(find_transposed_copies(unread.graph()), Names());
    // Both claim more than any file holds, and no bytes at all.
    ModelWriter hostile = tied("table", "copy");
    add_matrix(hostile, "table", 5, 3);
    add_matrix(hostile, "copy", 3, 5);
    for (TensorProto& tensor : *hostile.graph().mutable_initializer()) {
        tensor.set_dims(0, INT64_MAX);
        tensor.set_dims(1, INT64_MAX);
    }
    EXPECT_EQ(find_transposed_copies(hostile.graph()), Names());
}

// Each of the two is read as a table and as weights: they are one parameter, not two.
TEST(OnnxParameters, CountsTwoThatAreEachOthersCopyOnce) {
    ModelWriter writer = tied("one", "other");
    writer.node("Gather", {"other", "ids"}, "embedded again");
    writer.node("MatMul", {"embedded again", "one"}, "scores again");
    add_matrix(writer, "one", 5, 3);
    add_matrix(writer, "other", 3, 5, true);
    const Names parameters = parameters_of(writer);
    EXPECT_EQ(parameters.at("one"), parameters.at("other"));
}

// A hostile file may have as many pairs of tables and weights as nodes squared.
TEST(OnnxParameters, LooksAtSomePairsOnly) {
    for (const bool has_many : {false, true}) {
        ModelWriter writer;
        writer.node("Gather", {"table", "ids"}, "embedded");
        for (int i = 0; i < (has_many ? 1024 : 1023); ++i) {
            writer.node("MatMul", {"x", "other"}, "");
        }
        writer.node("MatMul", {"x", "copy"}, "");
        add_matrix(writer, "table", 5, 3);
        add_matrix(writer, "other", 3, 5);
        add_matrix(writer, "copy", 3, 5, true);
        EXPECT_EQ(find_transposed_copies(writer.graph()),
                  has_many ? Names() : (Names{{"copy", "table"}}));
    }
}

}  // namespace
}  // namespace hora::read
