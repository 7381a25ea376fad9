// When was the newest slurmd of some nodes started?
#include "plugins/slurm/newest_slurmd.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>

#include <array>
#include <string>

#include "tests/unit/slurm/answers.hpp"

namespace hora::slurm {
namespace {

class NewestSlurmd : public testing::Test {
  protected:
    NewestSlurmd() {
        tests::restart_answers();
        for (std::string& name : names_) {
            add(name.data(), 100 * static_cast<time_t>(tests::answers().nodes.size() + 1));
        }
        add(nullptr, 1000);
    }
    static void add(char* name, time_t started) {
        node_info_t node{};
        node.name = name;
        node.slurmd_start_time = started;
        tests::answers().nodes.push_back(node);
    }

    std::array<std::string, 3> names_{"n1", "n2", "n10"};
};

TEST_F(NewestSlurmd, IsOfTheNodesThatAreNamed) {
    const std::pair<const char*, std::int64_t> cases[] = {
        {"n1", 100},  {"n2,n1", 200}, {"n[1-2]", 200}, {"n[1-2,10]", 300},    {"n1,n1,n1", 100},
        {"n10", 300}, {"n3", 0},      {"N1", 0},       {"n1,elsewhere", 100}, {"", 1000},
    };
    for (const auto& [nodes, started] : cases) {
        const auto newest = newest_slurmd(nodes);
        ASSERT_TRUE(newest && *newest) << nodes;
        EXPECT_EQ(**newest, started) << nodes;
    }
    tests::answers().nodes.clear();
    EXPECT_EQ(newest_slurmd("")->value(), 0);
}

TEST_F(NewestSlurmd, FailsOnNamesThatAreNone) {
    for (const char* const wrong : {"n[1", "n[2-1]", "n[1-999999999]", "n1,,n2"}) {
        EXPECT_FALSE(newest_slurmd(wrong)) << wrong;
    }
}

TEST_F(NewestSlurmd, IsNotKnownToOneWhoMayNotLook) {
    tests::answers().error = ESLURM_ACCESS_DENIED;
    const auto newest = newest_slurmd("n1");
    ASSERT_TRUE(newest) << newest.error().message;
    EXPECT_FALSE(*newest);
    tests::answers().error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_FALSE(newest_slurmd("n1"));
}

}  // namespace
}  // namespace hora::slurm
