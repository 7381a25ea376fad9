#include "libplanner/read/onnx/onnx_bodies.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"
#include "tests/unit/read/onnx/node_lines.hpp"

namespace hora::read {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

// y = If(c), whose branch is another If that reads x.
NodeProto nested() {
    NodeProto node;
    node.set_op_type("If");
    node.add_input("c");
    node.add_output("y");
    GraphProto& outer = add_branch(node, "then_branch", {"r"});
    NodeProto& inner = add_node(*outer.mutable_node(), "If", {"c"}, {"r"});
    GraphProto& innermost = add_branch(inner, "else_branch", {"s"});
    add_node(*innermost.mutable_node(), "Add", {"x", "held"}, {"s"});
    innermost.add_initializer()->set_name("held");
    innermost.add_value_info()->set_name("s");
    return node;
}

TEST(OnnxBodies, CountNodesWithinGraphs) {
    Nodes nodes;
    EXPECT_EQ(count_nodes(nodes), 0);
    *nodes.Add() = nested();
    add_node(nodes, "Relu", {"y"}, {"z"});
    EXPECT_EQ(count_nodes(nodes), 4);
}

TEST(OnnxBodies, KnowHowDeepGraphsLie) {
    Nodes nodes;
    add_node(nodes, "Relu", {"y"}, {"z"});
    EXPECT_EQ(depth_of(nodes), 0);
    *nodes.Add() = nested();
    EXPECT_EQ(depth_of(nodes), 2);
}

TEST(OnnxBodies, KnowAllGraphsOfANode) {
    NodeProto node = nested();
    node.add_attribute()->add_graphs()->set_name("one");
    node.mutable_attribute(1)->add_graphs()->set_name("two");
    ASSERT_EQ(graphs_of(node).size(), 3);
    EXPECT_EQ(graphs_of(std::as_const(node))[2]->name(), "two");
    EXPECT_TRUE(graphs_of(NodeProto()).empty());
}

TEST(OnnxBodies, ChangeNamesAtAllDepths) {
    NodeProto node = nested();
    change_names(node, [](std::string& name) { name += "'"; });
    EXPECT_EQ(line_of(node),
              "If c' -> y' then_branch=(If c' -> r' else_branch=(Add x' held' -> s' | s') | r')");
    const GraphProto& innermost = node.attribute(0).g().node(0).attribute(0).g();
    EXPECT_EQ(innermost.initializer(0).name(), "held'");
    EXPECT_TRUE(innermost.value_info().empty()) << "types of names that are no more";
}

TEST(OnnxBodies, TakeNamesThatNoTensorHas) {
    GraphProto graph;
    graph.add_input()->set_name("x");
    graph.add_output()->set_name("y");
    graph.add_initializer()->set_name("w");
    *graph.add_node() = nested();
    TensorNames names;
    names.add(graph);
    const std::vector<std::string> taken = {names.take("x"), names.take("s"), names.take("s"),
                                            names.take("w"), names.take("x")};
    EXPECT_EQ(taken, (std::vector<std::string>{"x_1", "s", "s_2", "w_3", "x_4"}));

    TensorNames all;
    all.add_with_inner(graph);
    EXPECT_EQ(all.take("s"), "s_1");
    EXPECT_EQ(all.take("held"), "held_2");

    graph.mutable_node(0)->mutable_attribute(0)->mutable_g()->add_output()->set_name("x_1");
    TensorNames apart;
    apart.add(graph);
    apart.avoid_inner(graph);
    EXPECT_EQ(apart.take("s"), "s") << "a name of an inner graph alone";
    EXPECT_EQ(apart.take("x"), "x_2") << "x_1 stands in an inner graph";
    EXPECT_TRUE(apart.contains("x_2"));
    EXPECT_FALSE(apart.contains("x_1"));
}

struct Case {
    const char* sentence;
    std::vector<std::string> outputs;  // of the body: a is an input, b and c are computed
    std::vector<std::string> around;
    std::vector<std::string> copies;
    std::string b;  // afterwards, the name of b outside
};

const Case cases[] = {
    {"an output that is computed gets the name outside", {"b"}, {"y"}, {}, "y"},
    {"one that is left out keeps its own", {"b", "c"}, {"", "z"}, {}, ""},
    {"an input is copied", {"a", "b"}, {"same", "y"}, {"Identity x -> same"}, "y"},
    {"of two names for one output the second is a copy",
     {"b", "b"},
     {"y", "z"},
     {"Identity y -> z"},
     "y"},
    {"outputs beyond the node's are not needed", {"b", "nothing"}, {"y"}, {}, "y"},
};

TEST(OnnxBodies, NameOutputsAsTheNodeAroundThemDoes) {
    Nodes body;
    add_node(body, "Relu", {"a"}, {"b"});
    add_node(body, "Neg", {"b"}, {"c", ""});
    for (const Case& row : cases) {
        OuterNames names = {{"a", "x"}};
        NodeProto around;
        for (const std::string& name : row.around) {
            around.add_output(name);
        }
        const auto copies = name_outputs(row.outputs, around, computed_by(body), names);
        ASSERT_TRUE(copies) << row.sentence << ": " << copies.error().message;
        EXPECT_EQ(lines_of(*copies), row.copies) << row.sentence;
        EXPECT_EQ(names.contains("b") ? names.at("b") : "", row.b) << row.sentence;
    }
}

TEST(OnnxBodies, HaveNoOutputThatNothingComputes) {
    Nodes body;
    add_node(body, "Relu", {"a"}, {"b"});
    for (const char* const output : {"c", ""}) {
        OuterNames names = {{"a", "x"}};
        NodeProto around;
        around.add_output("y");
        EXPECT_FALSE(name_outputs({output}, around, computed_by(body), names)) << output;
    }
}

}  // namespace
}  // namespace hora::read
