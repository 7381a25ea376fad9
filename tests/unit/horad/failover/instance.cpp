// Is a second daemon on a host refused, and of several hosts all but one?
#include "scripts/horad/failover/instance.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/unit/contrib/scratch_folder.hpp"

namespace hora::horad {
namespace {

TEST(Instance, ASecondOneIsRefusedAndNamesTheFirst) {
    const trainer::ScratchFolder folder;
    {
        const auto first = Instance::claim(folder.path());
        ASSERT_TRUE(first) << first.error().message;
        const auto second = Instance::claim(folder.path());
        ASSERT_FALSE(second);
        EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
    }
    EXPECT_TRUE(Instance::claim(folder.path())) << "the first has ended";
    EXPECT_FALSE(Instance::claim(folder.file("missing")));
}

TEST(Instance, OneOfSeveralActs) {
    const trainer::ScratchFolder folder;
    const auto first = Instance::claim(folder.path());
    ASSERT_TRUE(first);
    {
        const auto acting = Instance::claim_acting(folder.path());
        ASSERT_TRUE(acting) << acting.error().message;
        EXPECT_FALSE(Instance::claim_acting(folder.path()));
    }
    EXPECT_TRUE(Instance::claim_acting(folder.path())) << "it stands by again";
}

TEST(Instance, FollowsNoLink) {
    const trainer::ScratchFolder folder;
    std::filesystem::create_symlink("/etc/passwd", folder.file("acting.lock"));
    EXPECT_FALSE(Instance::claim_acting(folder.path()));
}

}  // namespace
}  // namespace hora::horad
