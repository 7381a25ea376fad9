// Which numbers of GPUs does a user's word mean?
#include "libplanner/read/settings/size_rule.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

struct Case {
    const char* text;
    const char* rule;  // as it is typed, or the message
};

const Case cases[] = {
    {"any", "any"},
    {"powers", "powers"},
    {"nodes", "nodes"},
    {"4", "4"},
    {"8,1,4,2", "1,2,4,8"},
    {"2,2,1", "1,2"},
    {"1000000", "1000000"},
    {"1000001", "\"1000001\" is out of range; give 1 to 1000000"},
    {"0", "\"0\" is out of range; give 1 to 1000000"},
    {"1,", "\"\" is not a whole number; give 1 to 1000000"},
    {",", "\"\" is not a whole number; give 1 to 1000000"},
    {"1,x", "\"x\" is not a whole number; give 1 to 1000000"},
    {"1, 2", "\" 2\" is not a whole number; give 1 to 1000000"},
    {"powers,1", "\"powers\" is not a whole number; give 1 to 1000000"},
    {"power", "\"power\" is none of any, powers, nodes; did you mean \"powers\"?"},
    {"", "\"\" is none of any, powers, nodes, nor a list of numbers of GPUs"},
    {"1-8", "\"1-8\" is none of any, powers, nodes, nor a list of numbers of GPUs"},
    {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"},
    {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "names 17 sizes; give at most 16"},
};

TEST(SizeRule, IsAWordOrAList) {
    for (const Case& test : cases) {
        const auto rule = parse_size_rule(test.text);
        EXPECT_EQ(rule ? domain::text_of(*rule) : rule.error().message, test.rule) << test.text;
    }
}

}  // namespace
}  // namespace hora::read
