#include "libplanner/read/onnx/onnx_graph.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using model::Shape;
using onnx::TensorProto;

using Extents = std::vector<std::int64_t>;

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

TensorProto& tensor(ModelWriter& writer, const std::string& name, std::int32_t type,
                    const Extents& extents) {
    TensorProto& made = *writer.graph().add_initializer();
    made.set_name(name);
    made.set_data_type(type);
    made.mutable_dims()->Add(extents.begin(), extents.end());
    return made;
}

// As long as it says: a number for each element, and two for each complex one.
void fill(TensorProto& made, int numbers) {
    for (int i = 0; i < numbers; ++i) {
        switch (made.data_type()) {
            case TensorProto::FLOAT:
            case TensorProto::COMPLEX64:
                made.add_float_data(1);
                break;
            case TensorProto::DOUBLE:
            case TensorProto::COMPLEX128:
                made.add_double_data(1);
                break;
            case TensorProto::INT64:
                made.add_int64_data(1);
                break;
            case TensorProto::UINT32:
            case TensorProto::UINT64:
                made.add_uint64_data(1);
                break;
            case TensorProto::STRING:
                made.add_string_data("1");
                break;
            default:
                made.add_int32_data(1);
        }
    }
}

struct Kind {
    std::int32_t type;
    std::size_t bytes;  // of an element; 0: it has none of its own
    int numbers;        // in the field of its type, of an element
    bool is_float;
};

const Kind kinds[] = {
    {TensorProto::FLOAT, 4, 1, true},        {TensorProto::UINT8, 1, 1, false},
    {TensorProto::INT8, 1, 1, false},        {TensorProto::UINT16, 2, 1, false},
    {TensorProto::INT16, 2, 1, false},       {TensorProto::INT32, 4, 1, false},
    {TensorProto::INT64, 8, 1, false},       {TensorProto::STRING, 0, 1, false},
    {TensorProto::BOOL, 1, 1, false},        {TensorProto::FLOAT16, 2, 1, true},
    {TensorProto::DOUBLE, 8, 1, true},       {TensorProto::UINT32, 4, 1, false},
    {TensorProto::UINT64, 8, 1, false},      {TensorProto::COMPLEX64, 8, 2, false},
    {TensorProto::COMPLEX128, 16, 2, false}, {TensorProto::BFLOAT16, 2, 1, true},
};

TEST(OnnxGraph, TakesDataOfTheLengthThatTheExtentsSay) {
    for (const Kind& kind : kinds) {
        SCOPED_TRACE(TensorProto::DataType_Name(kind.type));
        EXPECT_EQ(holds_floats(kind.type), kind.is_float);
        for (const int elements : {5, 6, 7}) {
            ModelWriter in_fields;
            fill(tensor(in_fields, "t", kind.type, {2, 3}), elements * kind.numbers);
            EXPECT_EQ(strip_initializers(in_fields.graph()).has_value(), elements == 6);
            if (kind.bytes > 0) {
                ModelWriter in_bytes;
                tensor(in_bytes, "t", kind.type, {2, 3})
                    .set_raw_data(std::string(kind.bytes * static_cast<std::size_t>(elements), 1));
                EXPECT_EQ(strip_initializers(in_bytes.graph()).has_value(), elements == 6);
            }
        }
    }
}

struct Refused {
    const char* sentence;
    void (*build)(ModelWriter& writer);
    const char* message;
};

const Refused refused[] = {
    {"a negative extent",
     [](ModelWriter& w) {
         tensor(w, "t", TensorProto::FLOAT, {2, -1});
     },
     R"(tensor "t" has a negative extent)"},
    {"bytes of half a number",
     [](ModelWriter& w) { tensor(w, "t", TensorProto::FLOAT, {1}).set_raw_data("12"); },
     R"(tensor "t" does not hold as many bytes as its extents say)"},
    {"bytes for extents of nothing",
     [](ModelWriter& w) { tensor(w, "t", TensorProto::FLOAT, {0}).set_raw_data("1234"); },
     R"(tensor "t" does not hold as many bytes as its extents say)"},
    {"extents whose product overflows to what it holds",
     [](ModelWriter& w) {
         tensor(w, "t", TensorProto::UINT8, {std::int64_t{1} << 32, std::int64_t{1} << 32})
             .set_raw_data("");
     },
     R"(tensor "t" does not hold as many bytes as its extents say)"},
    {"a large tensor that was cut short",
     [](ModelWriter& w) {
         tensor(w, "t", TensorProto::FLOAT, {100, 100}).set_raw_data(std::string(39999, 1));
     },
     R"(tensor "t" does not hold as many bytes as its extents say)"},
    {"a large tensor with fewer numbers",
     [](ModelWriter& w) {
         fill(tensor(w, "t", TensorProto::INT64, {100, 100}), 9999);
     },
     R"(tensor "t" does not hold as many numbers as its extents say)"},
    {"numbers in the field of another type",
     [](ModelWriter& w) { tensor(w, "t", TensorProto::INT64, {1}).add_float_data(1); },
     R"(tensor "t" does not hold as many numbers as its extents say)"},
    {"a constant of fewer numbers",
     [](ModelWriter& w) {
         onnx::AttributeProto& value = *w.node("Constant", {}, "c").add_attribute();
         value.set_name("value");
         value.mutable_t()->set_name("t");
         value.mutable_t()->set_data_type(TensorProto::FLOAT);
         value.mutable_t()->add_dims(3);
         value.mutable_t()->add_float_data(1);
     },
     R"(tensor "t" does not hold as many numbers as its extents say)"},
    {"a small tensor of a type that came later",
     [](ModelWriter& w) { tensor(w, "t", 17, {2}).set_raw_data("12"); },
     R"(tensor "t" is of type 17, which is not known)"},
    {"two tensors of one name",
     [](ModelWriter& w) {
         w.weights("t", {100, 100}).weights("t", {2});
     },
     R"(there are two tensors "t")"},
};

TEST(OnnxGraph, RefusesTensorsThatContradictThemselves) {
    for (const Refused& row : refused) {
        ModelWriter writer;
        row.build(writer);
        const auto initializers = strip_initializers(writer.graph());
        EXPECT_FALSE(initializers) << row.sentence;
        EXPECT_EQ(initializers ? "" : initializers.error().message, row.message) << row.sentence;
    }
}

// FLOAT8E4M3FN, which ONNX has since version 1.14.
TEST(OnnxGraph, TakesLargeTensorsOfTypesThatCameLater) {
    constexpr int later = 17;
    for (const int elements : {64, 10000}) {
        ModelWriter writer;
        tensor(writer, "t", later, {elements}).set_raw_data(std::string(elements, 1));
        EXPECT_EQ(strip_initializers(writer.graph()).has_value(), elements == 10000);
    }
}

// Files without the numbers, which show a network's shape all the same.
TEST(OnnxGraph, TakesTensorsWithoutAnyData) {
    ModelWriter writer;
    tensor(writer, "bare", TensorProto::FLOAT, {100, 100});
    tensor(writer, "elsewhere", TensorProto::INT64, {3}).set_data_location(TensorProto::EXTERNAL);
    tensor(writer, "empty", TensorProto::FLOAT, {0});
    const auto initializers = strip_initializers(writer.graph());
    ASSERT_TRUE(initializers) << initializers.error().message;
    EXPECT_EQ(initializers->at("bare").shape, (Shape{100, 100}));
    EXPECT_EQ(initializers->at("elsewhere").shape, Shape{3});
    EXPECT_FALSE(initializers->at("elsewhere").holds_floats);
    // What is elsewhere cannot show a shape.
    ASSERT_EQ(writer.graph().initializer_size(), 1);
    EXPECT_EQ(writer.graph().initializer(0).name(), "empty");
    ASSERT_EQ(writer.graph().input_size(), 2);
    EXPECT_EQ(writer.graph().input(1).type().tensor_type().elem_type(), TensorProto::INT64);
    EXPECT_EQ(writer.graph().input(1).type().tensor_type().shape().dim(0).dim_value(), 3);
}

// Before version 4 of the format every initializer was an input as well.
TEST(OnnxGraph, KeepsSmallTensorsAndDeclaresLargeOnes) {
    ModelWriter writer;
    writer.input("small", {dynamic}).input("x", {1, 2}).input("large", {7});
    writer.weights("small", {4096}).weights("large", {4097}).weights("single", {});
    const auto initializers = strip_initializers(writer.graph());
    ASSERT_TRUE(initializers) << initializers.error().message;
    ASSERT_EQ(writer.graph().input_size(), 2);
    EXPECT_EQ(writer.graph().input(0).name(), "x");
    EXPECT_EQ(writer.graph().input(1).name(), "large");
    EXPECT_EQ(writer.graph().input(1).type().tensor_type().shape().dim(0).dim_value(), 4097);
    ASSERT_EQ(writer.graph().initializer_size(), 2);
    EXPECT_EQ(writer.graph().initializer(0).name(), "small");
    EXPECT_EQ(writer.graph().initializer(0).raw_data().size(), 4u * 4096);
    EXPECT_EQ(initializers->at("single").shape, Shape{});
}

struct Fixed {
    const char* sentence;
    std::vector<Extents> inputs;
    std::optional<std::uint64_t> sequence;
    std::vector<Extents> fixed;
    bool had_dynamic_batch;
};

const Fixed fixed[] = {
    {"a sample of a dynamic batch", {{dynamic, 3}}, {}, {{1, 3}}, true},
    {"a fixed batch", {{8, 3}}, {}, {{8, 3}}, false},
    {"two that differ", {{8, 3}, {4, 3}}, {}, {{8, 3}, {4, 3}}, false},
    {"one fixed and one dynamic", {{8, 3}, {dynamic, 3}}, {}, {{8, 3}, {1, 3}}, true},
    {"one dynamic and one fixed", {{dynamic, 3}, {8, 3}}, {}, {{1, 3}, {8, 3}}, true},
    {"a single number has no batch", {{8, 3}, {}}, {}, {{8, 3}, {}}, false},
    {"a batch of zero is none", {{0, 3}}, {}, {{1, 3}}, true},
    {"a negative one is none", {{-2, 3}}, {}, {{1, 3}}, true},
    {"all others are as long as the sequence",
     {{dynamic, dynamic, 4, dynamic}},
     7,
     {{1, 7, 4, 7}},
     true},
    {"a length of zero is none", {{2, 0}}, 5, {{2, 5}}, false},
    {"a batch as large as can be", {{highest}}, {}, {{highest}}, false},
    {"no inputs at all", {}, {}, {}, false},
};

ModelWriter with_inputs(const std::vector<Extents>& inputs) {
    ModelWriter writer;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        writer.input("x" + std::to_string(i), inputs[i]);
    }
    return writer;
}

std::vector<Extents> inputs_of(ModelWriter& writer) {
    std::vector<Extents> inputs;
    for (const onnx::ValueInfoProto& input : writer.graph().input()) {
        inputs.emplace_back();
        for (const auto& extent : input.type().tensor_type().shape().dim()) {
            inputs.back().push_back(extent.has_dim_value() ? extent.dim_value() : dynamic);
        }
    }
    return inputs;
}

TEST(OnnxGraph, FixesEveryExtentOfTheInputs) {
    for (const Fixed& row : fixed) {
        SCOPED_TRACE(row.sentence);
        ModelWriter writer = with_inputs(row.inputs);
        const auto inputs = fix_inputs(writer.graph(), {}, {.sequence = row.sequence});
        ASSERT_TRUE(inputs) << inputs.error().message;
        EXPECT_EQ(inputs->had_dynamic_batch, row.had_dynamic_batch);
        EXPECT_EQ(inputs_of(writer), row.fixed);
    }
}

TEST(OnnxGraph, AsksForASequenceOnlyWhereThereIsOne) {
    ModelWriter writer = with_inputs({{dynamic, dynamic}});
    const auto asked = fix_inputs(writer.graph(), {}, {});
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().kind, ErrorKind::wrong_use);
    EXPECT_EQ(asked.error().message,
              "input \"x0\" has a dynamic extent \"n\"; say how long it is with --sequence");
    ModelWriter whole = with_inputs({{dynamic, 4}});
    const auto idle = fix_inputs(whole.graph(), {}, {.sequence = 4});
    ASSERT_FALSE(idle);
    EXPECT_EQ(idle.error().kind, ErrorKind::wrong_use);
}

// An initializer that is declared as an input is none that a user fills.
TEST(OnnxGraph, LeavesInitializersAsTheyAre) {
    ModelWriter writer = with_inputs({{8, 3}, {dynamic, 3}});
    const auto inputs = fix_inputs(writer.graph(), {{"x1", {.shape = Shape{4, 3}}}}, {});
    ASSERT_TRUE(inputs);
    EXPECT_FALSE(inputs->had_dynamic_batch);
    EXPECT_EQ(inputs_of(writer).back(), (Extents{dynamic, 3}));
}

// ONNX: X is [sequence, batch, input], and since version 14 [batch, sequence, input] by layout = 1.
TEST(OnnxGraph, FindsTheBatchOfRecurrentLayersByTheirLayout) {
    for (const char* const type : {"RNN", "GRU", "LSTM"}) {
        for (const std::int64_t layout : {-1, 0, 1}) {
            ModelWriter writer;
            const bool is_first = layout == 1;
            writer.input("x", {dynamic, dynamic, 16});
            writer.input("state", is_first ? Extents{dynamic, 1, 8} : Extents{1, dynamic, 8});
            onnx::NodeProto& node = writer.node(type, {"x", "w", "r", "", "", "state"}, "y");
            if (layout >= 0) {
                set_integer(node, "layout", layout);
            }
            const auto inputs = fix_inputs(writer.graph(), {}, {.sequence = 5});
            ASSERT_TRUE(inputs);
            const std::vector<Extents> batch_first{{1, 5, 16}, {1, 1, 8}};
            const std::vector<Extents> batch_second{{5, 1, 16}, {1, 1, 8}};
            EXPECT_EQ(inputs_of(writer), is_first ? batch_first : batch_second)
                << type << " " << layout;
        }
    }
}

TEST(OnnxGraph, KnowsTensorsByName) {
    ModelWriter writer;
    writer.input("x", {2, 3}).input("part", {2, dynamic}).input("negative", {2, -5});
    writer.input("ids", {4}, TensorProto::INT64).output("bare").weights("w", {3, 4});
    const auto initializers = strip_initializers(writer.graph());
    ASSERT_TRUE(initializers);
    ShapeGaps gaps;
    gaps.add("part", gaps.add_reason("it depends on the weather"));
    OnnxGraph graph(writer.graph(), *initializers, gaps);
    EXPECT_EQ(graph.find("x")->shape, (Shape{2, 3}));
    EXPECT_EQ(graph.find("w")->shape, (Shape{3, 4}));
    EXPECT_FALSE(graph.find("part")->shape);
    EXPECT_FALSE(graph.find("negative")->shape);
    EXPECT_FALSE(graph.find("bare")->shape);
    EXPECT_FALSE(graph.find("ids")->holds_floats);
    EXPECT_EQ(graph.find("nothing"), nullptr);
    EXPECT_EQ(graph.why_unknown("x"), "");
    EXPECT_EQ(graph.why_unknown("part"),
              ": it depends on the weather; export the network with fixed extents, or without "
              "what depends on data");
    EXPECT_FALSE(graph.is_parameter("x"));
    EXPECT_TRUE(graph.is_parameter("w"));
    EXPECT_EQ(graph.take_parameter("x"), nullptr);
    ASSERT_NE(graph.take_parameter("w"), nullptr);
    EXPECT_EQ(graph.take_parameter("w"), nullptr);
    EXPECT_TRUE(graph.is_parameter("w"));
}

}  // namespace
}  // namespace hora::read
