#include "libplanner/read/onnx/onnx_batch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/onnx/onnx_shapes.hpp"
#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using Places = std::unordered_map<std::string, std::size_t>;
using Names = std::vector<std::string>;

// An LSTM of 32 features and 16 units, which reads x and, where it has them, h0 and c0.
onnx::NodeProto& lstm(ModelWriter& writer, const std::string& x, bool has_states = false) {
    writer.weights("w", {1, 64, 32}).weights("r", {1, 64, 16});
    const Names without{x, "w", "r"};
    const Names with{x, "w", "r", "", "", "h0", "c0"};
    onnx::NodeProto& node = writer.node("LSTM", has_states ? with : without, "lstm");
    set_integer(node, "hidden_size", 16);
    return node;
}

std::string transposed(ModelWriter& writer, const std::string& name,
                       const std::vector<std::int64_t>& order) {
    set_integers(writer.node("Transpose", {name}, name + "'"), "perm", order);
    return name + "'";
}

void name_extents(ModelWriter& writer, int input, const Names& names) {
    auto& shape = *writer.graph()
                       .mutable_input(input)
                       ->mutable_type()
                       ->mutable_tensor_type()
                       ->mutable_shape();
    for (std::size_t place = 0; place < names.size(); ++place) {
        if (!names[place].empty()) {
            shape.mutable_dim(static_cast<int>(place))->set_dim_param(names[place]);
        }
    }
}

struct Dynamic {
    const char* sentence;
    void (*build)(ModelWriter& writer);
    Places places;
};

const Dynamic dynamics[] = {
    {"nothing is said",
     [](ModelWriter& w) {
         w.input("x", {dynamic, 8}).node("Relu", {"x"}, "y");
     },
     {}},
    {"a name that begins with batch",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 8}).node("Relu", {"x"}, "y");
         name_extents(w, 0, {"seq", "Batch_size"});
     },
     {{"x", 1}}},
    {"another input's batch has the same name",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32}).input("mask", {dynamic, dynamic});
         name_extents(w, 0, {"t", "b"});
         name_extents(w, 1, {"t", "b"});
         lstm(w, "x");
     },
     {{"x", 1}, {"mask", 1}}},
    {"a recurrent layer and its states",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32}).input("h0", {1, dynamic, 16});
         w.input("c0", {1, dynamic, 16});
         lstm(w, "x", true);
     },
     {{"x", 1}, {"h0", 1}, {"c0", 1}}},
    {"and of the other layout",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32}).input("h0", {dynamic, 1, 16});
         w.input("c0", {dynamic, 1, 16});
         set_integer(lstm(w, "x", true), "layout", 1);
     },
     {{"x", 0}, {"h0", 0}, {"c0", 0}}},
    {"its lengths are one for each sample",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32}).input("lengths", {dynamic});
         lstm(w, "x").add_input("");
         w.graph().mutable_node(0)->add_input("lengths");
     },
     {{"x", 1}, {"lengths", 0}}},
    {"behind an embedding",
     [](ModelWriter& w) {
         w.input("ids", {dynamic, dynamic}).weights("table", {1000, 32});
         w.node("Gather", {"table", "ids"}, "e");
         lstm(w, "e");
     },
     {{"ids", 1}}},
    {"turned round, as of batch_first",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32});
         lstm(w, transposed(w, "x", {1, 0, 2}));
     },
     {{"x", 0}}},
    {"behind a dense layer with a bias",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 8}).weights("m", {8, 32}).weights("b", {32});
         w.node("MatMul", {"x", "m"}, "mx");
         w.node("Add", {"b", "mx"}, "bmx");
         lstm(w, "bmx");
     },
     {{"x", 1}}},
    {"behind constants with as many extents",
     [](ModelWriter& w) {
         w.input("ids", {dynamic, dynamic}).weights("table", {1000, 32});
         w.weights("positions", {5, 1, 32}).weights("scale", {1, 1, 32});
         w.node("Gather", {"table", "ids"}, "e");
         w.node("Add", {"e", "positions"}, "p");
         w.node("Mul", {"scale", "p"}, "s");
         lstm(w, "s");
     },
     {{"ids", 1}}},
    {"behind constants that nodes compute",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 8}).weights("m", {32, 8}).weights("d", {});
         set_integers(w.node("Transpose", {"m"}, "m'"), "perm", {1, 0});
         w.node("Sqrt", {"d"}, "root");
         w.node("MatMul", {"x", "m'"}, "y");
         w.node("Div", {"y", "root"}, "z");
         lstm(w, "z");
     },
     {{"x", 1}}},
    {"a constant with more extents puts its own in front",
     [](ModelWriter& w) {
         w.input("x", {dynamic, 32}).weights("c", {5, 1, 32});
         w.node("Add", {"x", "c"}, "y");
         lstm(w, "y");
     },
     {}},
    {"and so does one that a node holds",
     [](ModelWriter& w) {
         w.input("x", {dynamic, 32});
         onnx::AttributeProto& value = *w.node("Constant", {}, "c").add_attribute();
         value.set_name("value");
         for (const std::int64_t extent : {5, 1, 32}) {
             value.mutable_t()->add_dims(extent);
         }
         w.node("Relu", {"x"}, "u");
         w.node("Sub", {"u", "c"}, "y");
         lstm(w, "y");
     },
     {}},
    {"as does a product with several matrices",
     [](ModelWriter& w) {
         w.input("x", {dynamic, 8}).weights("m", {5, 8, 32});
         w.node("MatMul", {"x", "m"}, "y");
         lstm(w, "y");
     },
     {}},
    {"a convolution",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32}).weights("k", {16, 32, 3});
         w.node("Conv", {transposed(w, "x", {1, 2, 0}), "k"}, "y");
     },
     {{"x", 1}}},
    {"operators that differ say nothing",
     [](ModelWriter& w) {
         w.input("x", {dynamic, 32, 32}).weights("k", {16, 32, 3});
         w.node("Conv", {"x", "k"}, "y");
         lstm(w, "x");
     },
     {}},
    {"a Transpose that is none says nothing",
     [](ModelWriter& w) {
         w.input("x", {dynamic, dynamic, 32});
         lstm(w, transposed(w, "x", {1, -2, 2}));
     },
     {}},
};

TEST(OnnxBatch, FindsDynamicBatchesByNamesAndOperators) {
    for (const Dynamic& row : dynamics) {
        SCOPED_TRACE(row.sentence);
        ModelWriter writer;
        row.build(writer);
        const auto initializers = strip_initializers(writer.graph());
        ASSERT_TRUE(initializers);
        EXPECT_EQ(find_batch_places(writer.graph(), *initializers), row.places);
    }
}

// Hundreds of kilobytes of a file: minutes, if each input asked for all the others, each output for
// all inputs, or each input for all attributes.
TEST(OnnxBatch, LooksAtANodeOfManyInputsInLinearTime) {
    constexpr int many = 40'000;
    const std::pair<const char*, Places> rows[] = {
        {"Concat", {}}, {"Add", {}}, {"Transpose", {}}, {"Gather", {{"x", 0}}}};
    for (const auto& [type, places] : rows) {
        SCOPED_TRACE(type);
        ModelWriter writer;
        writer.input("x", {dynamic, 4, 8}).weights("k", {4, 4, 1});
        onnx::NodeProto& node = writer.node(type, Names(many, "x"), "y0");
        for (int i = 1; i <= many; ++i) {
            set_integer(node, "a", i);
            node.add_output("y" + std::to_string(i));
            writer.node("Conv", {"y" + std::to_string(i), "k"}, "");
        }
        const auto initializers = strip_initializers(writer.graph());
        ASSERT_TRUE(initializers);
        EXPECT_EQ(find_batch_places(writer.graph(), *initializers), places);
    }
}

struct Fixed {
    const char* sentence;
    void (*build)(ModelWriter& writer);
    std::uint64_t samples;
    std::string remark = {};
};

// Attention of two heads as PyTorch's nn.MultiheadAttention has it, of 8 features.
void attention(ModelWriter& writer, std::int64_t batch, std::int64_t positions,
               const Names& names) {
    const auto extents = [](std::vector<std::int64_t> list) { return list; };
    writer.numbers("heads", extents({positions, batch * 2, 4})).weights("m", {8, 8});
    writer.node("MatMul", {names[0], "m"}, "q");
    writer.node("Reshape", {"q", "heads"}, "qh");
    writer.node("Reshape", {names[1], "heads"}, "kh");
    const std::string q = transposed(writer, "qh", {1, 0, 2});
    const std::string k = transposed(writer, "kh", {1, 2, 0});
    writer.node("MatMul", {q, k}, "scores");
}

const std::string remedy =
    "; export the model with a dynamic axis named \"batch\" to state which extents are the batch";

const Fixed fixed[] = {
    {"no inputs", [](ModelWriter& w) { w.weights("m", {2}).node("Relu", {"m"}, "y"); }, 1},
    {"one input",
     [](ModelWriter& w) {
         w.input("x", {8, 3}).node("Relu", {"x"}, "y");
     },
     8},
    {"a single number has no batch",
     [](ModelWriter& w) {
         w.input("x", {8, 3}).input("s", {}).node("Mul", {"x", "s"}, "y");
     },
     8},
    {"inputs that are alike",
     [](ModelWriter& w) {
         w.input("x", {8, 3}).input("y", {8}).node("Relu", {"x"}, "z");
     },
     8},
    {"two that differ",
     [](ModelWriter& w) {
         w.input("x", {8, 3}).input("y", {4}).node("Relu", {"x"}, "z");
     },
     1, "input \"x\" has a batch of 8, input \"y\" one of 4: counted as one sample" + remedy},
    {"a third is as the first",
     [](ModelWriter& w) {
         w.input("x", {8}).input("y", {4}).input("z", {8}).node("Relu", {"x"}, "u");
     },
     1, "input \"x\" has a batch of 8, input \"y\" one of 4: counted as one sample" + remedy},
    {"positions that are the same for all samples, by the output",
     [](ModelWriter& w) {
         w.input("x", {8, 128}).input("positions", {1, 128}).output("y");
         w.node("Add", {"x", "positions"}, "y");
     },
     8},
    {"one sample with a list of other things, by the output",
     [](ModelWriter& w) {
         w.input("x", {1, 100, 128}).input("boxes", {100, 128}).output("y");
         w.node("Add", {"x", "boxes"}, "y");
     },
     1,
     "input \"boxes\" has a batch of 100, input \"x\" one of 1: counted as a batch of 1, as the "
     "outputs have" +
         remedy},
    {"a mask, by the output",
     [](ModelWriter& w) {
         w.input("x", {8, 128, 64}).input("mask", {128, 128}).output("y");
         w.node("MatMul", {"mask", "x"}, "y");
     },
     8,
     "input \"mask\" has a batch of 128, input \"x\" one of 8: counted as a batch of 8, as the "
     "outputs have" +
         remedy},
    {"outputs that differ decide nothing",
     [](ModelWriter& w) {
         w.input("x", {8, 3}).input("y", {4, 3}).output("u").output("v");
         w.node("Relu", {"x"}, "u");
         w.node("Relu", {"y"}, "v");
     },
     1, "input \"x\" has a batch of 8, input \"y\" one of 4: counted as one sample" + remedy},
    {"a recurrent layer and its states",
     [](ModelWriter& w) {
         w.input("x", {10, 20, 32}).input("h0", {1, 20, 16}).input("c0", {1, 20, 16});
         lstm(w, "x", true);
     },
     20},
    {"states of one sample",
     [](ModelWriter& w) {
         w.input("x", {10, 1, 32}).input("h0", {1, 1, 16}).input("c0", {1, 1, 16});
         lstm(w, "x", true);
     },
     1},
    {"behind an embedding, and targets of another order",
     [](ModelWriter& w) {
         w.input("ids", {35, 20}).input("targets", {700}).weights("table", {1000, 32});
         w.node("Gather", {"table", "ids"}, "e");
         lstm(w, "e");
     },
     20},
    {"a convolution decides, not a list beside it",
     [](ModelWriter& w) {
         w.input("x", {2, 4, 8, 8}).input("time", {1}).weights("k", {4, 4, 1, 1});
         w.node("Conv", {"x", "k"}, "c");
         w.node("Add", {"c", "time"}, "y");
     },
     2},
    {"attention with the positions first",
     [](ModelWriter& w) {
         w.input("x", {35, 20, 8});
         attention(w, 20, 35, {"x", "x"});
     },
     20},
    {"that of one sample",
     [](ModelWriter& w) {
         w.input("x", {35, 1, 8});
         attention(w, 1, 35, {"x", "x"});
     },
     1},
    {"with the batch first",
     [](ModelWriter& w) {
         w.input("x", {20, 35, 8});
         const std::string turned = transposed(w, "x", {1, 0, 2});
         attention(w, 20, 35, {turned, turned});
     },
     20},
    {"without heads",
     [](ModelWriter& w) {
         w.input("x", {35, 20, 8});
         const std::string query = transposed(w, "x", {1, 0, 2});
         set_integers(w.node("Transpose", {"x"}, "k"), "perm", {1, 2, 0});
         w.node("MatMul", {query, "k"}, "scores");
     },
     20},
    {"with heads and without a batch: nothing is said of it",
     [](ModelWriter& w) {
         w.input("x", {35, 8}).numbers("heads", {35, 2, 4});
         w.node("Reshape", {"x", "heads"}, "h");
         set_integers(w.node("Transpose", {"h"}, "q"), "perm", {1, 0, 2});
         set_integers(w.node("Transpose", {"h"}, "k"), "perm", {1, 2, 0});
         w.node("MatMul", {"q", "k"}, "scores");
     },
     35},
    {"products with weights say nothing",
     [](ModelWriter& w) {
         w.input("x", {4, 5, 8}).weights("m", {5, 8, 8});
         w.node("MatMul", {transposed(w, "x", {1, 0, 2}), "m"}, "y");
     },
     4},
    {"layers on both sides of an image and a text",
     [](ModelWriter& w) {
         w.input("image", {1, 4, 8, 8}).input("text", {3, 4, 8});
         w.weights("k", {4, 4, 1, 1}).weights("l", {4, 4, 1});
         w.node("Conv", {"image", "k"}, "c");
         w.node("Conv", {"text", "l"}, "d");
     },
     1,
     "input \"text\" has a batch of 3, input \"image\" one of 1: counted as one sample" + remedy},
};

TEST(OnnxBatch, FindsTheFixedBatchByOperatorsInputsAndOutputs) {
    for (const Fixed& row : fixed) {
        SCOPED_TRACE(row.sentence);
        ModelWriter writer;
        row.build(writer);
        auto initializers = strip_initializers(writer.graph());
        ASSERT_TRUE(initializers);
        const auto inputs = fix_inputs(writer.graph(), *initializers, {});
        ASSERT_TRUE(inputs);
        EXPECT_FALSE(inputs->had_dynamic_batch);
        const auto gaps = infer_shapes(writer.model());
        ASSERT_TRUE(gaps) << gaps.error().message;
        const OnnxGraph graph(writer.graph(), *initializers, *gaps);
        const FixedBatch batch = find_fixed_batch(writer.graph(), graph);
        EXPECT_EQ(batch.samples, row.samples);
        EXPECT_EQ(batch.remark, row.remark);
    }
}

}  // namespace
}  // namespace hora::read
