// Which numbers of GPUs did a job's owner choose?
#include "scripts/horad/observe/allowed_sizes.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

using Kind = domain::SizeRule::Kind;
using Sizes = std::vector<std::uint32_t>;

JobMemory memory(domain::SizeRule rule) {
    JobMemory job;
    job.options.sizes = std::move(rule);
    job.decision.has_plan = true;
    job.decision.gpus = 8;
    job.decision.nodes = 2;
    return job;
}

TEST(AllowedSizes, AreNoneWhereEachIsAllowed) {
    EXPECT_EQ(allowed_sizes(memory({}), 1, 8), Sizes());
    EXPECT_EQ(allowed_sizes(memory({Kind::powers, {}}), 1, 8), (Sizes{1, 2, 4, 8}));
    EXPECT_EQ(allowed_sizes(memory({Kind::nodes, {}}), 1, 9), (Sizes{4, 8}))
        << "a node is what it was planned on";
    EXPECT_TRUE(allows(memory({}), 3));
    EXPECT_FALSE(allows(memory({Kind::powers, {}}), 3));
    EXPECT_FALSE(allows(memory({Kind::nodes, {}}), 2));
    EXPECT_TRUE(allows(memory({Kind::nodes, {}}), 12));
}

TEST(AllowedSizes, KnowWholeNodesByTheOption) {
    domain::Decision decision;
    decision.options = {{"hora-gpus", "1-8"}, {"hora-sizes", "powers"}};
    EXPECT_FALSE(has_whole_nodes(decision));
    decision.options.back().second = "nodes";
    EXPECT_TRUE(has_whole_nodes(decision));
}

}  // namespace
}  // namespace hora::horad
