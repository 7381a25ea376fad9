#include "libplanner/read/onnx/onnx_inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using onnx::NodeProto;
using onnx::TensorProto;

using Extents = std::vector<std::int64_t>;

constexpr std::int64_t unknown = -1;  // one of several extents

// All nodes of a graph, looked at one after the other.
class Looked {
  public:
    explicit Looked(ModelWriter writer, int version = 15)
        : writer_(std::move(writer)), inference_(writer_.graph(), version) {
        for (NodeProto& node : *writer_.graph().mutable_node()) {
            inference_.look_at(node);
        }
    }

    const onnx::TypeProto* type(const std::string& name) {
        for (const auto* const values :
             {&writer_.graph().input(), &writer_.graph().value_info(), &writer_.graph().output()}) {
            const auto found = std::find_if(values->begin(), values->end(), [&](const auto& value) {
                return value.name() == name;
            });
            if (found != values->end()) {
                return &found->type();
            }
        }
        return nullptr;
    }
    // Nothing where not even their number is known.
    std::optional<Extents> extents(const std::string& name) {
        const onnx::TypeProto* const found = type(name);
        if (found == nullptr || !found->tensor_type().has_shape()) {
            return std::nullopt;
        }
        Extents extents;
        for (const auto& extent : found->tensor_type().shape().dim()) {
            extents.push_back(extent.has_dim_value() ? extent.dim_value() : unknown);
        }
        return extents;
    }
    std::string reason(const std::string& name) const { return inference_.gaps().reason(name); }

  private:
    ModelWriter writer_;
    OnnxInference inference_;
};

void declare(ModelWriter& writer, const std::string& name, const Extents& extents,
             TensorProto::DataType type = TensorProto::FLOAT) {
    onnx::ValueInfoProto& value = *writer.graph().add_value_info();
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    for (const std::int64_t extent : extents) {
        auto& dimension = *value.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
        if (extent != unknown) {
            dimension.set_dim_value(extent);
        }
    }
}

TEST(OnnxInference, ReshapesByNumbersThatNodesCompute) {
    ModelWriter writer;
    writer.input("x", {2, 3, 8}).numbers("heads", {4}).numbers("rest", {-1}).numbers("first", {0});
    writer.node("Shape", {"x"}, "extents");
    writer.node("Gather", {"extents", "first"}, "batch");
    set_integer(writer.node("Concat", {"batch", "rest", "heads"}, "wanted"), "axis", 0);
    writer.node("Reshape", {"x", "wanted"}, "y");
    Looked looked(writer);
    EXPECT_EQ(looked.extents("y"), (Extents{2, 6, 4}));
    EXPECT_EQ(looked.type("y")->tensor_type().elem_type(), TensorProto::FLOAT);
    EXPECT_EQ(looked.type("wanted")->tensor_type().elem_type(), TensorProto::INT64);
    EXPECT_EQ(looked.reason("y"), "");
}

// The same operator takes its axes as an attribute up to version 12 and as an input from then on.
TEST(OnnxInference, TakesOperatorsOfTheModelsVersion) {
    ModelWriter old;
    old.input("x", {1, 3, 1});
    set_integers(old.node("Squeeze", {"x"}, "y"), "axes", {2});
    EXPECT_EQ(Looked(old, 11).extents("y"), (Extents{1, 3}));
    ModelWriter fresh;
    fresh.input("x", {1, 3, 1}).numbers("axes", {0});
    fresh.node("Squeeze", {"x", "axes"}, "y");
    EXPECT_EQ(Looked(fresh, 13).extents("y"), (Extents{3, 1}));
    EXPECT_EQ(Looked(fresh, 1 << 20).extents("y"), (Extents{3, 1}));
}

struct Gap {
    const char* sentence;
    void (*build)(ModelWriter& writer);  // up to a tensor "y"
    std::string reason;                  // begins so
};

const Gap gaps[] = {
    {"an operator that the library has not", [](ModelWriter& w) { w.node("Unheard", {"x"}, "y"); },
     R"(it depends on operator "Unheard" of node "y", whose result is not known beforehand)"},
    {"an operator of a later version", [](ModelWriter& w) { w.node("Mish", {"x"}, "y"); },
     R"(it depends on operator "Mish" of node "y", whose result is not known beforehand)"},
    {"the first of all nodes that are not known",
     [](ModelWriter& w) {
         w.node("Unheard", {"x"}, "first");
         w.node("Unheard", {"first"}, "second");
         w.node("Relu", {"second"}, "y");
     },
     R"(it depends on operator "Unheard" of node "first")"},
    {"matrices that do not fit",
     [](ModelWriter& w) {
         w.weights("w", {5, 2});
         w.node("MatMul", {"x", "w"}, "y");
     },
     R"(it depends on operator "MatMul" of node "y", whose result is not known beforehand: )"},
    {"the data of an input",
     [](ModelWriter& w) {
         w.input("extents", {2}, TensorProto::INT64).numbers("two", {2});
         w.node("Mul", {"extents", "two"}, "doubled");
         w.node("Reshape", {"x", "doubled"}, "y");
     },
     R"(it depends on the data of "extents")"},
    {"a shape that is not known comes before numbers that are not",
     [](ModelWriter& w) {
         w.input("extents", {2}, TensorProto::INT64);
         w.node("Unheard", {"x"}, "odd");
         w.node("Expand", {"odd", "extents"}, "y");
     },
     R"(it depends on operator "Unheard" of node "odd")"},
    {"a node that runs later",
     [](ModelWriter& w) {
         w.node("Relu", {"later"}, "y");
         w.node("Relu", {"x"}, "later");
     },
     R"(it depends on operator "Relu" of node "y")"},
    {"a node that reads what it writes", [](ModelWriter& w) { w.node("Relu", {"y"}, "y"); },
     R"(it depends on operator "Relu" of node "y")"},
    {"labels of other extents",
     [](ModelWriter& w) {
         w.weights("w", {5, 2});
         set_text(w.node("Einsum", {"x", "w"}, "y"), "equation", "ij,jk->ik");
     },
     R"(it depends on operator "Einsum" of node "y")"},
    {"a type that the graph states otherwise",
     [](ModelWriter& w) {
         w.output("y");  // of floats
         w.node("Shape", {"x"}, "y");
     },
     R"(it depends on operator "Shape" of node "y", whose result is not known beforehand: )"},
    {"dimensions that the graph states otherwise",
     [](ModelWriter& w) {
         declare(w, "y", {unknown, unknown}, TensorProto::INT64);
         w.node("Shape", {"x"}, "y");
     },
     R"(it depends on operator "Shape" of node "y", whose result is not known beforehand: )"},
};

TEST(OnnxInference, SaysOnWhatAShapeDependsAndDoesNotThrow) {
    for (const Gap& row : gaps) {
        SCOPED_TRACE(row.sentence);
        ModelWriter writer;
        writer.input("x", {3, 4});
        row.build(writer);
        std::string reason;
        EXPECT_NO_THROW(reason = Looked(writer).reason("y"));
        EXPECT_EQ(reason.substr(0, row.reason.size()), row.reason);
        EXPECT_LE(reason.size(), 400u);
    }
}

// The text of the library holds names of the file.
TEST(OnnxInference, SaysItInPrintableCharacters) {
    ModelWriter writer;
    writer.input("x", {3, 4}).weights("w", {5, 2});
    writer.node("MatMul", {"x", "w"}, "y").set_name("\x1b[2J" + std::string(5000, 'n'));
    const std::string reason = Looked(writer).reason("y");
    EXPECT_FALSE(reason.empty());
    EXPECT_LT(reason.size(), 1000u);
    EXPECT_TRUE(std::all_of(reason.begin(), reason.end(), [](char one) {
        return one >= ' ' && one <= '~';
    })) << reason;
}

TEST(OnnxInference, RefusesConvolutionsThatDoNotFit) {
    for (const char* const type : {"Conv", "ConvTranspose"}) {
        ModelWriter flat;
        flat.input("x", {1, 3}).weights("w", {4, 3, 1, 1}).node(type, {"x", "w"}, "y");
        EXPECT_THROW(Looked{flat}, OnnxMisfit) << type;
        ModelWriter lone;
        lone.input("x", {1, 3, 8, 8}).node(type, {"x"}, "y");
        EXPECT_THROW(Looked{lone}, OnnxMisfit) << type;
        ModelWriter both;
        both.input("x", {1}).weights("w", {1}).node(type, {"x", "w"}, "y");
        EXPECT_THROW(Looked{both}, OnnxMisfit) << type;
        // Nothing is said against what is not known.
        ModelWriter unheard;
        unheard.input("x", {1, 3, 8, 8}).weights("w", {4, 3, 1, 1}).node("Unheard", {"x"}, "odd");
        unheard.node(type, {"odd", "w"}, "y");
        EXPECT_NO_THROW(Looked{unheard}) << type;
    }
}

TEST(OnnxInference, BelievesTheGraphWhereNothingElseIsKnown) {
    ModelWriter writer;
    writer.input("x", {3, 4});
    declare(writer, "odd", {7, 2});
    declare(writer, "part", {7, unknown});
    writer.node("Unheard", {"x"}, "odd");
    writer.node("Unheard", {"x"}, "part");
    writer.node("Relu", {"odd"}, "y");
    Looked looked(writer);
    EXPECT_EQ(looked.extents("y"), (Extents{7, 2}));
    EXPECT_EQ(looked.reason("y"), "");
    EXPECT_EQ(looked.reason("odd"), "");
    EXPECT_NE(looked.reason("part"), "");
}

// As PyTorch states them of what follows an If.
TEST(OnnxInference, BelievesTheNodesOnceABranchHasBeenTaken) {
    for (const Extents& stated : {Extents{3}, Extents{4, 4}, Extents{unknown, unknown, 4}}) {
        ModelWriter writer;
        writer.input("x", {3, 4}).input("z", {5});
        declare(writer, "y", stated);
        declare(writer, "b", stated);
        NodeProto& relu = writer.node("Relu", {"x"}, "y");
        NodeProto& over = writer.node("Relu", {"x"}, "z");
        NodeProto branching;
        branching.add_output("b");
        branching.add_output("not stated");
        OnnxInference inference(writer.graph(), 15);
        inference.doubt(branching);
        inference.look_at(relu);
        inference.look_at(over);
        const auto extents_of = [](const onnx::ValueInfoProto& value) {
            return known_shape(&value.type());
        };
        EXPECT_EQ(extents_of(writer.graph().value_info(0)), (model::Shape{3, 4}));
        EXPECT_EQ(inference.gaps().reason("y"), "");
        EXPECT_EQ(extents_of(writer.graph().value_info(1)), std::nullopt) << "of the other branch";
        EXPECT_EQ(extents_of(writer.graph().input(1)), (model::Shape{5})) << "an input";
    }
}

// What the graph leaves open of a shape is filled in.
TEST(OnnxInference, CompletesWhatTheGraphStates) {
    ModelWriter writer;
    writer.input("x", {3, 4});
    declare(writer, "y", {unknown, 4});
    writer.node("Relu", {"x"}, "y");
    EXPECT_EQ(Looked(writer).extents("y"), (Extents{3, 4}));
}

TEST(OnnxInference, LeavesOutOutputsWithoutAName) {
    ModelWriter writer;
    writer.input("x", {5, 1, 16}).weights("w", {1, 32, 16}).weights("r", {1, 32, 8});
    NodeProto& lstm = writer.node("LSTM", {"x", "w", "r"}, "");
    lstm.add_output("hidden");
    set_integer(lstm, "hidden_size", 8);
    writer.node("Shape", {"hidden"}, "");
    writer.node("Relu", {""}, "");
    Looked looked(writer);
    EXPECT_EQ(looked.extents("hidden"), (Extents{1, 1, 8}));
    EXPECT_EQ(looked.type(""), nullptr);
    EXPECT_EQ(looked.reason(""), "");
}

struct Equation {
    std::string text;
    Extents output;
};

TEST(OnnxInference, FindsTheExtentsOfAnEinsum) {
    const Equation equations[] = {{"bij,bjk->bik", {2, 3, 5}},
                                  {"bij,bjk", {3, 5}},
                                  {"bij,bjk->", {}},
                                  {"bij,bjk->kjb", {5, 4, 2}}};
    for (const Equation& row : equations) {
        ModelWriter writer;
        writer.input("a", {2, 3, 4}).input("b", {2, 4, 5});
        set_text(writer.node("Einsum", {"a", "b"}, "y"), "equation", row.text);
        EXPECT_EQ(Looked(writer).extents("y"), row.output) << row.text;
    }
}

// Of a list of which one number is known, the library uses that one.
TEST(OnnxInference, UsesListsThatAreKnownInPart) {
    ModelWriter writer;
    writer.input("x", {6, 4}).input("ids", {9}, TensorProto::INT64);
    writer.numbers("four", {4}).numbers("second", {1}).numbers("ones", {1, 1});
    writer.node("NonZero", {"ids"}, "places");
    writer.node("Shape", {"places"}, "extents");
    writer.node("Gather", {"extents", "second"}, "found");
    set_integer(writer.node("Concat", {"found", "four"}, "wanted"), "axis", 0);
    writer.node("Reshape", {"x", "wanted"}, "y");
    Looked looked(writer);
    EXPECT_EQ(looked.extents("y"), (Extents{unknown, 4}));
    EXPECT_NE(looked.reason("y"), "");
}

// As torch.onnx writes x.shape[:2] and the rest of it.
TEST(OnnxInference, FollowsEveryPartOfASplit) {
    ModelWriter writer;
    writer.input("x", {2, 3, 4}).numbers("parts", {1, 2});
    writer.node("Shape", {"x"}, "extents");
    writer.node("Split", {"extents", "parts"}, "first").add_output("rest");
    writer.node("ConstantOfShape", {"first"}, "by first");
    writer.node("ConstantOfShape", {"rest"}, "by rest");
    Looked looked(writer);
    EXPECT_EQ(looked.extents("by first"), Extents{2});
    EXPECT_EQ(looked.extents("by rest"), (Extents{3, 4}));
}

struct Padded {
    const char* sentence;
    int version;                         // of ONNX's operators
    void (*build)(ModelWriter& writer);  // of "x" {2, 6, 4} a tensor "y"
    std::optional<Extents> output;
};

const Padded padded[] = {
    {"margins that cut", 15,
     [](ModelWriter& w) {
         w.numbers("n", {0, -1, 0, 0, -2, 3}).node("Pad", {"x", "n"}, "y");
     },
     Extents{2, 3, 7}},
    {"margins of some axes", 18,
     [](ModelWriter& w) {
         w.numbers("n", {-1, 2, -1, 0}).numbers("axes", {1, -1});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     Extents{2, 4, 6}},
    {"all of an axis cut", 18,
     [](ModelWriter& w) {
         w.numbers("n", {-2, -4}).numbers("axes", {1});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     Extents{2, 0, 4}},
    {"more than all of it", 18,
     [](ModelWriter& w) {
         w.numbers("n", {-2, -5}).numbers("axes", {1});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"margins that overflow", 18,
     [](ModelWriter& w) {
         w.numbers("n", {INT64_MAX, 0}).numbers("axes", {1});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"an axis beyond the last", 18,
     [](ModelWriter& w) {
         w.numbers("n", {1, 1}).numbers("axes", {3});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"an axis twice", 18,
     [](ModelWriter& w) {
         w.numbers("n", {1, 1, 1, 1}).numbers("axes", {1, -2});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"margins of fewer axes", 18,
     [](ModelWriter& w) {
         w.numbers("n", {1, 1}).numbers("axes", {1, 2});
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"margins of axes that are not known", 18,
     [](ModelWriter& w) {
         w.numbers("n", {1, 1}).input("axes", {1}, TensorProto::INT64);
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"margins that are not known", 18,
     [](ModelWriter& w) {
         w.numbers("axes", {1}).input("n", {2}, TensorProto::INT64);
         w.node("Pad", {"x", "n", "", "axes"}, "y");
     },
     std::nullopt},
    {"what is not known itself", 18,
     [](ModelWriter& w) {
         w.numbers("n", {1, 1}).numbers("axes", {1}).node("Unheard", {"x"}, "odd");
         w.node("Pad", {"odd", "n", "", "axes"}, "y");
     },
     std::nullopt},
};

// Axes of its own came with version 18, after the library of Debian 12.
TEST(OnnxInference, FindsTheExtentsOfAPad) {
    for (const Padded& row : padded) {
        ModelWriter writer;
        writer.input("x", {2, 6, 4});
        row.build(writer);
        Looked looked(writer, row.version);
        EXPECT_EQ(looked.extents("y"), row.output) << row.sentence;
        EXPECT_EQ(looked.reason("y").empty(), row.output.has_value()) << row.sentence;
    }
}

// Dilations of an LpPool came with version 18, those of an AveragePool with 19.
TEST(OnnxInference, SpreadsAPoolByItsDilations) {
    for (const char* const type : {"MaxPool", "AveragePool", "LpPool"}) {
        ModelWriter writer;
        writer.input("x", {1, 3, 9, 9});
        NodeProto& pool = writer.node(type, {"x"}, "y");
        set_integers(pool, "kernel_shape", {3, 3});
        set_integers(pool, "dilations", {1, 3});
        EXPECT_EQ(Looked(writer, 19).extents("y"), (Extents{1, 3, 7, 3})) << type;
    }
}

// Only an output that has a name gets the type.
TEST(OnnxInference, NamesTheOutputsOfNewerOperators) {
    ModelWriter writer;
    writer.input("q", {1, 8, 16, 64}).input("k", {1, 8, 9, 64}).input("v", {1, 8, 9, 32});
    NodeProto& attention = writer.node("Attention", {"q", "k", "v"}, "y");
    attention.add_output("");
    attention.add_output("values");
    Looked looked(writer, 23);
    EXPECT_EQ(looked.extents("y"), (Extents{1, 8, 16, 32}));
    EXPECT_EQ(looked.extents("values"), (Extents{1, 8, 9, 32}));
    EXPECT_EQ(looked.type(""), nullptr);
    writer.graph().mutable_input(2)->mutable_type()->CopyFrom(writer.graph().input(0).type());
    EXPECT_EQ(Looked(writer, 23).reason("y"),
              "it depends on operator \"Attention\" of node \"y\", whose result is not known "
              "beforehand: its query, key and value do not match each other and its numbers of "
              "heads");
    EXPECT_NE(Looked(writer, 22).reason("y"), "");
}

// Each could be the answer; what must not be is that the two are mixed.
TEST(OnnxInference, KeepsTheFirstOfTwoWithOneName) {
    ModelWriter writer;
    writer.input("x", {6, 4});
    for (const std::int64_t extent : {12, 8}) {
        set_integers(writer.node("Constant", {}, "wanted"), "value_ints", {extent, -1});
    }
    writer.node("Reshape", {"x", "wanted"}, "y");
    EXPECT_EQ(Looked(writer).extents("y"), (Extents{12, 2}));
}

// 4096 numbers each, and a graph may have a hundred thousand nodes.
TEST(OnnxInference, KeepsAMillionNumbersAndNoMore) {
    ModelWriter writer;
    writer.input("x", {6, 4}).numbers("count", {4096});
    for (int i = 0; i < 400; ++i) {
        NodeProto& node = writer.node("ConstantOfShape", {"count"}, "ones" + std::to_string(i));
        onnx::AttributeProto& value = *node.add_attribute();
        value.set_name("value");
        value.set_type(onnx::AttributeProto::TENSOR);
        value.mutable_t()->set_data_type(TensorProto::INT64);
        value.mutable_t()->add_dims(1);
        value.mutable_t()->add_int64_data(1);
    }
    writer.numbers("last", {-1});
    for (const char* const ones : {"ones0", "ones399"}) {
        const std::string name(ones);
        writer.node("ReduceSum", {name, "last"}, "sum of " + name);
        writer.node("ConstantOfShape", {"sum of " + name}, "by " + name);
    }
    Looked looked(writer);
    EXPECT_EQ(looked.extents("by ones0"), (Extents{4096}));
    EXPECT_EQ(looked.extents("ones399"), (Extents{4096}));
    EXPECT_NE(looked.reason("by ones399"), "");
}

}  // namespace
}  // namespace hora::read
