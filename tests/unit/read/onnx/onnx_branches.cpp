#include "libplanner/read/onnx/onnx_branches.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "libplanner/read/onnx/onnx_model.hpp"
#include "tests/unit/read/onnx/model_writer.hpp"
#include "tests/unit/read/onnx/node_lines.hpp"

namespace hora::read {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

using Lines = std::vector<std::string>;

// A graph that has x, c and y, and an If for y.
class Decided {
  public:
    Decided() : node_(writer_.input("x", {2}).node("If", {"c"}, "y")) {
        then_ = &add_branch(node_, "then_branch", {"r"});
        otherwise_ = &add_branch(node_, "else_branch", {"x"});
        add_node(*then_->mutable_node(), "Relu", {"x"}, {"r"});
    }

    ModelWriter& writer() { return writer_; }
    NodeProto& node() { return node_; }
    GraphProto& then() { return *then_; }
    GraphProto& otherwise() { return *otherwise_; }

  private:
    ModelWriter writer_;
    NodeProto& node_;
    GraphProto* then_;
    GraphProto* otherwise_;
};

struct Case {
    const char* sentence;
    bool condition;
    std::function<void(Decided&)> change;
    Lines lines;
};

const Case cases[] = {
    {"its output is the branch's", true, [](Decided&) {}, {"Relu x -> y"}},
    {"or a tensor around it", false, [](Decided&) {}, {"Identity x -> y"}},
    {"tensors between keep their names",
     true,
     [](Decided& it) {
         it.then().mutable_node(0)->set_output(0, "t");
         add_node(*it.then().mutable_node(), "Neg", {"t"}, {"r"});
     },
     {"Relu x -> t", "Neg t -> y"}},
    {"but where the graph has the same name",
     true,
     [](Decided& it) {
         it.writer().weights("t", {1});
         it.then().mutable_node(0)->set_output(0, "t");
         add_node(*it.then().mutable_node(), "Neg", {"t"}, {"r"});
     },
     {"Relu x -> t_1", "Neg t_1 -> y"}},
    {"numbers behind names are of no tensor within it",
     true,
     [](Decided& it) {
         it.writer().weights("t", {1});
         it.then().mutable_node(0)->set_output(0, "t");
         NodeProto& inner = add_node(*it.then().mutable_node(), "If", {"c"}, {"r"});
         add_node(*add_branch(inner, "then_branch", {"t_1"}).mutable_node(), "Abs", {"t"}, {"t_1"});
     },
     {"Relu x -> t_2", "If c -> y then_branch=(Abs t_2 -> t_1 | t_1)"}},
    {"an output may be left out",
     true,
     [](Decided& it) {
         it.node().set_output(0, "");
         it.node().add_output("z");
         it.then().add_output()->set_name("r");
     },
     {"Relu x -> z"}},
    {"one tensor may be two outputs",
     true,
     [](Decided& it) {
         it.node().add_output("z");
         it.then().add_output()->set_name("r");
     },
     {"Relu x -> y", "Identity y -> z"}},
    {"graphs within it see its names",
     true,
     [](Decided& it) {
         NodeProto& inner = add_node(*it.then().mutable_node(), "If", {"c"}, {"s"});
         add_node(*add_branch(inner, "then_branch", {"q"}).mutable_node(), "Abs", {"r"}, {"q"});
         add_branch(inner, "else_branch", {"r"});
     },
     {"Relu x -> y", "If c -> s then_branch=(Abs y -> q | q) else_branch=(| y)"}},
};

TEST(OnnxBranches, StandForTheIf) {
    for (const Case& row : cases) {
        Decided decided;
        row.change(decided);
        Branches branches(decided.writer().graph());
        const auto nodes = branches.take(decided.node(), row.condition);
        ASSERT_TRUE(nodes) << row.sentence << ": " << nodes.error().message;
        EXPECT_EQ(lines_of(*nodes), row.lines) << row.sentence;
    }
}

TEST(OnnxBranches, KeepTheNamesOfSeveralApart) {
    Decided decided;
    decided.then().mutable_node(0)->set_output(0, "t");
    add_node(*decided.then().mutable_node(), "Neg", {"t"}, {"r"});
    NodeProto second = decided.node();
    second.set_output(0, "z");
    Branches branches(decided.writer().graph());
    ASSERT_TRUE(branches.take(decided.node(), true));
    const auto nodes = branches.take(second, true);
    ASSERT_TRUE(nodes);
    EXPECT_EQ(lines_of(*nodes), (Lines{"Relu x -> t_1", "Neg t_1 -> z"}));
}

// In the order of their nodes; two may have had one name.
TEST(OnnxBranches, LeaveTheirTensorsToTheGraph) {
    Decided decided;
    for (GraphProto* const branch : {&decided.then(), &decided.otherwise()}) {
        onnx::TensorProto& held = *branch->add_initializer();
        held.set_name("w");
        held.add_dims(branch == &decided.then() ? 3 : 4);
    }
    add_node(*decided.then().mutable_node(), "Add", {"r", "w"}, {"s"});
    decided.otherwise().mutable_output(0)->set_name("w");
    decided.writer().weights("w", {1});
    GraphProto& graph = decided.writer().graph();
    collect_initializers(graph);
    ASSERT_EQ(graph.initializer_size(), 3);
    EXPECT_EQ(graph.initializer(1).name(), "w_1");
    EXPECT_EQ(graph.initializer(1).dims(0), 3);
    EXPECT_EQ(graph.initializer(2).name(), "w_2");
    EXPECT_EQ(line_of(decided.node()),
              "If c -> y then_branch=(Relu x -> r; Add r w_1 -> s | r) else_branch=(| w_2)");
    EXPECT_TRUE(decided.then().initializer().empty());
}

struct Refused {
    const char* sentence;
    std::function<void(Decided&)> change;
    const char* message;
};

const Refused refused[] = {
    {"no such branch", [](Decided& it) { it.node().mutable_attribute(0)->set_name("then"); },
     R"(node "y": it has no then_branch; export the network again)"},
    {"a branch that is a number",
     [](Decided& it) {
         it.node().mutable_attribute(0)->clear_g();
         it.node().mutable_attribute(0)->set_i(1);
     },
     R"(node "y": it has no then_branch; export the network again)"},
    {"inputs of its own", [](Decided& it) { it.then().add_input()->set_name("x"); },
     R"(node "y": its then_branch has inputs or sparse tensors, or fewer outputs than the node; )"
     "export the network without it"},
    {"fewer outputs", [](Decided& it) { it.node().add_output("z"); },
     R"(node "y": its then_branch has inputs or sparse tensors, or fewer outputs than the node; )"
     "export the network without it"},
    {"a node that is not counted",
     [](Decided& it) { it.then().mutable_node(0)->set_op_type("Loop"); },
     R"(node "": the work of operator "Loop" cannot be counted; export the network without it)"},
    {"a constant that is not whole",
     [](Decided& it) {
         onnx::AttributeProto& value =
             *add_node(*it.then().mutable_node(), "Constant", {}, {"w"}).add_attribute();
         value.mutable_t()->set_name("w");
         value.mutable_t()->set_data_type(onnx::TensorProto::INT64);
         value.mutable_t()->add_dims(2);
         value.mutable_t()->set_raw_data("12345678");
     },
     R"(tensor "w" does not hold as many bytes as its extents say)"},
    {"an output that nothing computes",
     [](Decided& it) { it.then().mutable_output(0)->set_name("q"); },
     R"(node "y": no node computes the output "q" of its branch; export the network again)"},
    {"an output without a name", [](Decided& it) { it.then().mutable_output(0)->clear_name(); },
     R"(node "y": no node computes the output "" of its branch; export the network again)"},
};

TEST(OnnxBranches, AreRefused) {
    for (const Refused& row : refused) {
        Decided decided;
        row.change(decided);
        const auto nodes = Branches(decided.writer().graph()).take(decided.node(), true);
        EXPECT_EQ(nodes ? "" : nodes.error().message, row.message) << row.sentence;
    }
}

// As PyTorch exports x.squeeze(1) of a dynamic x: Squeeze where the extent is 1.
void add_squeeze(ModelWriter& writer, const std::string& input, const std::string& output) {
    writer.node("Shape", {input}, output + ".shape");
    writer.node("Gather", {output + ".shape", "one"}, output + ".extent");
    writer.node("Equal", {output + ".extent", "one"}, output + ".is_one");
    NodeProto& node = writer.node("If", {output + ".is_one"}, output);
    GraphProto& squeezed = add_branch(node, "then_branch", {"squeezed"});
    add_node(*squeezed.mutable_node(), "Squeeze", {input, "one"}, {"squeezed"});
    GraphProto& same = add_branch(node, "else_branch", {"same"});
    add_node(*same.mutable_node(), "Identity", {input}, {"same"});
}

TEST(OnnxBranches, OfAModelAreTakenByWhatItsNodesCompute) {
    for (const std::int64_t extent : {1, 3}) {
        ModelWriter writer;
        writer.input("x", {dynamic, extent, 8}).numbers("one", {1}).weights("w", {8, 4});
        add_squeeze(writer, "x", "s");
        add_squeeze(writer, "s", "t");
        writer.node("MatMul", {"t", "w"}, "y");
        writer.output("y");
        const auto network = read_onnx_model(writer.bytes(), "m");
        ASSERT_TRUE(network) << network.error().message;
        ASSERT_EQ(network->layers.back().type, "dense");
        EXPECT_EQ(network->layers.back().mac, static_cast<std::uint64_t>(extent) * 8 * 4);
        EXPECT_EQ(network->layers.back().parameters, 32);
    }
}

// What the file states of an If's output may be of the other branch.
TEST(OnnxBranches, OfAModelDecideExtents) {
    for (const std::vector<std::int64_t>& stated : {std::vector<std::int64_t>{1, 9}, {2, 3, 8}}) {
        ModelWriter writer;
        writer.input("x", {dynamic, 3, 8}).numbers("no", {0});
        NodeProto& node = writer.node("If", {"no"}, "y");
        add_node(*add_branch(node, "then_branch", {"r"}).mutable_node(), "Flatten", {"x"}, {"r"});
        add_node(*add_branch(node, "else_branch", {"r"}).mutable_node(), "Relu", {"x"}, {"r"});
        writer.node("Relu", {"y"}, "z");
        for (const char* const name : {"y", "z"}) {
            ModelWriter other;
            *writer.graph().add_value_info() = other.input(name, stated).graph().input(0);
        }
        const auto network = read_onnx_model(writer.bytes(), "m");
        ASSERT_TRUE(network) << network.error().message;
        EXPECT_EQ(network->layers.back().output, (std::vector<std::uint64_t>{3, 8}));
    }
}

// A recurrent layer within a branch says where the batch of the graph's input is.
TEST(OnnxBranches, OfAModelSayWhereTheBatchIs) {
    ModelWriter writer;
    writer.input("x", {20, dynamic, 8}).numbers("yes", {1});
    writer.weights("w", {1, 16, 8}).weights("r", {1, 16, 4});
    NodeProto& node = writer.node("If", {"yes"}, "y");
    GraphProto& branch = add_branch(node, "then_branch", {"h"});
    set_integer(add_node(*branch.mutable_node(), "LSTM", {"x", "w", "r"}, {"h"}), "hidden_size", 4);
    const auto network = read_onnx_model(writer.bytes(), "m");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->layers.back().mac, 20 * (16 * 8 + 16 * 4));
}

// A branch in a branch; weights that only a branch reads, of the graph and of its own, count.
TEST(OnnxBranches, OfAModelCountTheirWeights) {
    ModelWriter writer;
    writer.input("x", {dynamic, 8}).weights("w", {8, 4});
    writer.numbers("yes", {1});
    NodeProto& node = writer.node("If", {"yes"}, "y");
    GraphProto& outer = add_branch(node, "then_branch", {"r"});
    NodeProto& inner = add_node(*outer.mutable_node(), "If", {"yes"}, {"r"});
    GraphProto& innermost = add_branch(inner, "then_branch", {"s"});
    add_node(*innermost.mutable_node(), "MatMul", {"x", "w"}, {"p"});
    add_node(*innermost.mutable_node(), "Add", {"p", "b"}, {"s"});
    ModelWriter own;
    own.weights("b", {4});
    *innermost.add_initializer() = own.graph().initializer(0);
    writer.output("y");
    const auto network = read_onnx_model(writer.bytes(), "m");
    ASSERT_TRUE(network) << network.error().message;
    std::uint64_t parameters = 0;
    for (const domain::Layer& layer : network->layers) {
        parameters += layer.parameters;
    }
    EXPECT_EQ(parameters, 8 * 4 + 4);
}

struct Unknown {
    const char* sentence;
    std::function<void(ModelWriter&)> write;
    std::string message;
};

const Unknown unknown[] = {
    {"data decide",
     [](ModelWriter& w) {
         w.input("n", {1}, onnx::TensorProto::INT64).numbers("one", {1});
         w.node("Equal", {"n", "one"}, "c");
         w.node("If", {"c"}, "y").set_name("choice");
     },
     "\"m\": node \"choice\": the work of operator \"If\" cannot be counted: which branch it takes "
     "is not known beforehand: it depends on the data of \"n\"; export the network without it"},
    {"nothing decides", [](ModelWriter& w) { w.node("If", {}, "y"); },
     "\"m\": node \"y\": the work of operator \"If\" cannot be counted: which branch it takes is "
     "not known beforehand; export the network without it"},
    {"several numbers decide",
     [](ModelWriter& w) {
         w.numbers("c", {1, 0});
         w.node("If", {"c"}, "y");
     },
     "\"m\": node \"y\": the work of operator \"If\" cannot be counted: which branch it takes is "
     "not known beforehand; export the network without it"},
    {"a node of the branch does not fit",
     [](ModelWriter& w) {
         w.input("x", {1, 2}).weights("w", {3, 4}).numbers("c", {1});
         NodeProto& node = w.node("If", {"c"}, "y");
         GraphProto& branch = add_branch(node, "then_branch", {"r"});
         add_node(*branch.mutable_node(), "MatMul", {"x", "w"}, {"r"}).set_name("product");
     },
     "Incompatible dimensions for matrix multiplication"},
    {"nodes have no names",
     [](ModelWriter& w) {
         w.numbers("c", {0});
         NodeProto& node = w.node("If", {"c"}, "y");
         node.clear_name();
         GraphProto& branch = add_branch(node, "else_branch", {"r"});
         add_node(*branch.mutable_node(), "Loop", {}, {"r"});
     },
     "\"m\": node \"If_1/Loop_1\": the work of operator \"Loop\""},
    {"an operator of the branch is not known",
     [](ModelWriter& w) {
         w.numbers("c", {0});
         NodeProto& node = w.node("If", {"c"}, "y");
         GraphProto& branch = add_branch(node, "else_branch", {"r"});
         add_node(*branch.mutable_node(), "Own", {}, {"r"}, "own").set_name("inner");
     },
     "\"m\": node \"inner\": operator \"Own\" of \"own\" is not known"},
    {"a convolution of the branch does not fit",
     [](ModelWriter& w) {
         w.input("x", {1, 2}).numbers("c", {1});
         NodeProto& node = w.node("If", {"c"}, "y");
         GraphProto& branch = add_branch(node, "then_branch", {"r"});
         add_node(*branch.mutable_node(), "Conv", {"x"}, {"r"}).set_name("filter");
     },
     "\"m\": node \"filter\": operator \"Conv\": it needs an input and weights, and has 1"},
    {"branches lie too deep",
     [](ModelWriter& w) {
         w.numbers("c", {1});
         NodeProto* node = &w.node("If", {"c"}, "y");
         for (int depth = 0; depth < 17; ++depth) {
             GraphProto& branch = add_branch(*node, "then_branch", {"r"});
             node = &add_node(*branch.mutable_node(), "If", {"c"}, {"r"});
         }
     },
     "graphs lie within graphs more than 16 deep; export the plain network"},
};

TEST(OnnxBranches, OfAModelAreNamedWhereTheyAreNotKnown) {
    for (const Unknown& row : unknown) {
        ModelWriter writer;
        row.write(writer);
        const auto network = read_onnx_model(writer.bytes(), "m");
        ASSERT_FALSE(network) << row.sentence;
        EXPECT_NE(network.error().message.find(row.message), std::string::npos)
            << row.sentence << ": " << network.error().message;
    }
}

}  // namespace
}  // namespace hora::read
