#include "libplanner/read/onnx/onnx_einsum.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using model::Shape;

Expected<Einsum> einsum_of(const std::string& equation, const std::vector<Shape>& inputs) {
    onnx::NodeProto node;
    node.set_op_type("Einsum");
    set_text(node, "equation", equation);
    return read_einsum(node, inputs);
}

struct Case {
    const char* sentence;
    std::string equation;
    std::vector<Shape> inputs;
    Shape output;
    std::map<char, std::uint64_t> extents;
};

const Case cases[] = {
    {"two matrices", "ij,jk->ik", {{2, 3}, {3, 4}}, {2, 4}, {{'i', 2}, {'j', 3}, {'k', 4}}},
    {"spaces anywhere",
     " i j , j k - > i k ",
     {{2, 3}, {3, 4}},
     {2, 4},
     {{'i', 2}, {'j', 3}, {'k', 4}}},
    {"labels that occur once, in the alphabet's order",
     "kj,ji",
     {{2, 3}, {3, 4}},
     {4, 2},
     {{'i', 4}, {'j', 3}, {'k', 2}}},
    {"upper case comes first", "aB,Bc", {{2, 3}, {3, 4}}, {2, 4}, {{'B', 3}, {'a', 2}, {'c', 4}}},
    {"an upper-case label is another",
     "iI,Ij->ij",
     {{2, 3}, {3, 4}},
     {2, 4},
     {{'I', 3}, {'i', 2}, {'j', 4}}},
    {"a diagonal", "ii->i", {{5, 5}}, {5}, {{'i', 5}}},
    {"a trace", "ii", {{5, 5}}, {}, {{'i', 5}}},
    {"a trace that says so", "ii->", {{5, 5}}, {}, {{'i', 5}}},
    {"turned round", "ij->ji", {{2, 3}}, {3, 2}, {{'i', 2}, {'j', 3}}},
    {"single numbers", ",->", {{}, {}}, {}, {}},
    {"a single number and a list", ",i", {{}, {4}}, {4}, {{'i', 4}}},
    {"three inputs", "i,j,k->kji", {{2}, {3}, {4}}, {4, 3, 2}, {{'i', 2}, {'j', 3}, {'k', 4}}},
    {"an extent of 1 is spread", "bi,bi->b", {{1, 3}, {5, 3}}, {5}, {{'b', 5}, {'i', 3}}},
    {"also the second one", "bi,bi->b", {{5, 3}, {1, 3}}, {5}, {{'b', 5}, {'i', 3}}},
    {"spread over nothing", "b,b->b", {{1}, {0}}, {0}, {{'b', 0}}},
    {"a batch behind an ellipsis",
     "...id,...jd->...ij",
     {{1, 2, 3, 4}, {1, 2, 5, 4}},
     {1, 2, 3, 5},
     {{'8', 1}, {'9', 2}, {'i', 3}, {'d', 4}, {'j', 5}}},
    {"an ellipsis in one input only",
     "...d,de->...e",
     {{2, 3, 4}, {4, 5}},
     {2, 3, 5},
     {{'8', 2}, {'9', 3}, {'d', 4}, {'e', 5}}},
    {"ellipses in two places",
     "i...,...j->j...i",
     {{7, 2, 3}, {2, 3, 8}},
     {8, 2, 3, 7},
     {{'8', 2}, {'9', 3}, {'i', 7}, {'j', 8}}},
    {"an ellipsis of nothing", "...i->...", {{4}}, {}, {{'i', 4}}},
    {"an ellipsis that is summed over", "...i->i", {{2, 4}}, {4}, {{'9', 2}, {'i', 4}}},
    {"an ellipsis without an output",
     "b...,a...",
     {{2, 3}, {4, 3}},
     {3, 4, 2},
     {{'9', 3}, {'a', 4}, {'b', 2}}},
    {"nothing", "ij,jk->ik", {{2, 0}, {0, 4}}, {2, 4}, {{'i', 2}, {'j', 0}, {'k', 4}}},
};

TEST(OnnxEinsum, FindsTheExtentsOfLabels) {
    for (const Case& row : cases) {
        const auto einsum = einsum_of(row.equation, row.inputs);
        ASSERT_TRUE(einsum) << row.sentence << ": " << einsum.error().message;
        EXPECT_EQ(einsum->output, row.output) << row.sentence;
        EXPECT_EQ(einsum->extents, row.extents) << row.sentence;
    }
}

struct Refused {
    const char* sentence;
    std::string equation;
    std::vector<Shape> inputs;
};

const Refused refused[] = {
    {"no equation", "", {{2}}},
    {"an ellipsis of more dimensions than any input has",
     "...->...",
     {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}},
    {"an ellipsis of fewer than none", "ij...->i", {{2}}},
    {"ellipses of different length", "i...,...j->j...i", {{7, 2, 3}, {3, 8}}},
    {"ellipses of two extents", "...i,...i->...", {{2, 3}, {4, 3}}},
    {"two ellipses", "...i...->i", {{2, 3}}},
    {"half an ellipsis", "..i->i", {{2, 3, 4}}},
    {"an ellipsis in the output alone", "ij->......", {{2, 3}}},
    {"labels of an ellipsis", "9i->9", {{2, 3}}},
    {"labels of an ellipsis beside one", "...i->9", {{2, 3}}},
    {"no input", "->", {}},
    {"an input without labels", "i->i", {{2}, {3}}},
    {"labels without an input", "i,j->ij", {{2}}},
    {"too few labels", "i,jk->ik", {{2, 3}, {3, 4}}},
    {"too many labels", "ijk,jk->ik", {{2, 3}, {3, 4}}},
    {"too few at the end", "ij,j->i", {{2, 3}, {3, 4}}},
    {"an output of no input's", "ij,jk->il", {{2, 3}, {3, 4}}},
    {"one label, two extents", "ij,jk->ik", {{2, 3}, {5, 4}}},
    {"no diagonal", "ii->i", {{2, 3}}},
    {"two extents after one of 1", "b,b,b->b", {{1}, {2}, {3}}},
    {"an extent of nothing and one of two", "b,b->b", {{0}, {2}}},
    {"a label twice in the output", "ij,jk->ii", {{2, 3}, {3, 4}}},
    {"two outputs", "ij->i,j", {{2, 3}}},
    {"two arrows", "ij->i->j", {{2, 3}}},
    {"half an arrow", "ij-i", {{2, 3, 4, 5}}},
    {"the other half", "ij>i", {{2, 3, 4, 5}}},
    {"labels that are no letters", "1$->1", {{2, 3}}},
    {"a letter of another alphabet", "\xc3\xa4->\xc3\xa4", {{2, 3}}},
};

TEST(OnnxEinsum, RefusesWhatDoesNotMatch) {
    for (const Refused& row : refused) {
        EXPECT_FALSE(einsum_of(row.equation, row.inputs)) << row.sentence;
    }
    EXPECT_FALSE(read_einsum(onnx::NodeProto(), {{2}}));
}

}  // namespace
}  // namespace hora::read
