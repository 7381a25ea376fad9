// Are types of node read as they are written, and refused where they contradict each other?
#include "libplanner/read/trace/node_types.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

TEST(NodeTypes, HaveANameNodesAndGpus) {
    const std::string texts[] = {"t4=16x4", "a100-80.gb_x=100000x1000"};
    EXPECT_FALSE(read_node_types(texts)) << "too many nodes in all";
    const auto types = read_node_types(std::span(texts).subspan(1));
    ASSERT_TRUE(types) << types.error().message;
    ASSERT_EQ(types->size(), 1U);
    EXPECT_EQ(types->front().name, "a100-80.gb_x");
    EXPECT_EQ(types->front().nodes, 100'000U);
    EXPECT_EQ(types->front().gpus_per_node, 1'000U);
    EXPECT_EQ(types->front().gpus(), 100'000'000U);
}

struct Case {
    const char* name;
    std::vector<std::string> texts;
    const char* wanted;
};

constexpr const char* how = " is no type of node; write NAME=NODESxGPUS, e.g. a100=4x8";

TEST(NodeTypes, SayWhatIsWrong) {
    const std::pair<const char*, const char*> malformed[] = {
        {"nothing", ""},          {"a name alone", "a100"},           {"no name", "=4x8"},
        {"no nodes", "a100=8"},   {"a name with a blank", "a 1=4x8"}, {"another sign", "a100=4*8"},
        {"numbers alone", "4x8"},
    };
    for (const auto& [name, text] : malformed) {
        const std::string texts[] = {text};
        const auto types = read_node_types(texts);
        ASSERT_FALSE(types) << name;
        EXPECT_EQ(types.error().message, "\"" + std::string(text) + "\"" + how) << name;
        EXPECT_EQ(types.error().kind, ErrorKind::wrong_use) << name;
    }
    const Case cases[] = {
        {"no nodes", {"a=0x8"}, "nodes of \"a=0x8\": \"0\" is out of range; give 1 to 100000"},
        {"too many nodes",
         {"a=100001x8"},
         "nodes of \"a=100001x8\": \"100001\" is out of range; give 1 to 100000"},
        {"no GPUs",
         {"a=4x0"},
         "GPUs of a node of \"a=4x0\": \"0\" is out of range; give 1 to 1000"},
        {"more than any number",
         {"a=4x99999999999999999999"},
         "GPUs of a node of \"a=4x99999999999999999999\": \"99999999999999999999\" is out of "
         "range; "
         "give 1 to 1000"},
        {"a third number",
         {"a=4x8x2"},
         "GPUs of a node of \"a=4x8x2\": \"8x2\" is not a whole number; give 1 to 1000"},
        {"the same twice",
         {"a=4x8", "b=1x1", "a=2x8"},
         "names \"a\" twice; give all nodes of a type at once"},
        {"too many together", {"a=99999x8", "b=2x8"}, "more than 100000 nodes in all"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const auto types = read_node_types(each.texts);
        ASSERT_FALSE(types);
        EXPECT_EQ(types.error().message, each.wanted);
    }
    std::vector<std::string> many;
    for (int i = 0; i <= 64; ++i) {
        many.push_back("t" + std::to_string(i) + "=1x1");
    }
    EXPECT_EQ(read_node_types(many).error().message, "more than 64 types of node");
    many.pop_back();
    EXPECT_TRUE(read_node_types(many));
}

}  // namespace
}  // namespace hora::read
