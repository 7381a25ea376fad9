// Are variables read as getenv() does, and is what was changed remembered?
#include "plugins/spank/job/environment.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

TEST(Environment, reads_what_execve_was_given) {
    const char* const entries[] = {"A=1", "B=",    "C",   "=D",      "",
                                   "A=2", "E=x=y", "F= ", "A B=\n1", nullptr};
    const Variables wanted{{"A", "1"}, {"B", ""}, {"E", "x=y"}, {"F", " "}, {"A B", "\n1"}};
    EXPECT_EQ(read_variables(entries), wanted) << "the first of two entries counts";
    const char* const none[] = {nullptr};
    EXPECT_EQ(read_variables(none), Variables());
    EXPECT_EQ(read_variables(nullptr), Variables());
}

TEST(Environment, remembers_the_last_change_of_each_variable) {
    Environment environment({{"A", "1"}, {"B", "2"}});
    environment.unset("C");
    EXPECT_TRUE(environment.changes().empty()) << "it was not set";
    environment.set("A", "3");
    environment.set("A", "4");
    environment.unset("B");
    environment.set("C", "5");
    environment.unset("C");
    EXPECT_EQ(environment.variables(), (Variables{{"A", "4"}}));
    EXPECT_EQ(*environment.find("A"), "4");
    EXPECT_EQ(environment.find("B"), nullptr);
    EXPECT_EQ(environment.changes().size(), 3U);
    EXPECT_EQ(environment.changes().at("A"), "4");
    EXPECT_EQ(environment.changes().at("B"), std::nullopt);
    EXPECT_EQ(environment.changes().at("C"), std::nullopt);
    environment.set("B", "2");
    EXPECT_EQ(environment.changes().at("B"), "2") << "to what it was";
}

}  // namespace
}  // namespace hora::spank
