// Is a second daemon on a host refused, and of several hosts all but one?
#include "scripts/horad/failover/instance.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

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

TEST(Instance, IsKeptByWhoeverItIsMovedTo) {
    const trainer::ScratchFolder folder;
    std::optional<Instance> kept;
    {
        auto first = Instance::claim_acting(folder.path());
        ASSERT_TRUE(first);
        kept.emplace(*std::move(first));
    }
    EXPECT_FALSE(Instance::claim_acting(folder.path()));
    {
        auto other = Instance::claim(folder.path());
        ASSERT_TRUE(other);
        *kept = *std::move(other);
    }
    EXPECT_TRUE(Instance::claim_acting(folder.path())) << "it was let go";
    EXPECT_FALSE(Instance::claim(folder.path()));
}

TEST(Instance, WritesDownItsPidForItsOwnerAlone) {
    const trainer::ScratchFolder folder;
    folder.write("acting.lock", "99999999999999999999 of a daemon before, and more\n");
    const mode_t before = ::umask(0);
    const auto acting = Instance::claim_acting(folder.path());
    ::umask(before);
    ASSERT_TRUE(acting);
    EXPECT_EQ(folder.read("acting.lock"), std::to_string(::getpid()) + "\n");
    const auto rights = std::filesystem::status(folder.file("acting.lock")).permissions();
    EXPECT_EQ(rights & std::filesystem::perms(0022), std::filesystem::perms::none);
}

TEST(Instance, NamesNoOtherProcessThanWhatTheFileSays) {
    const trainer::ScratchFolder folder;
    const auto acting = Instance::claim_acting(folder.path());
    ASSERT_TRUE(acting);
    for (const char* const text : {"", "\n", "12 34", "x12"}) {
        folder.write("acting.lock", text);
        const auto second = Instance::claim_acting(folder.path());
        ASSERT_FALSE(second);
        const bool is_named = second.error().message.find("as process 12 ") != std::string::npos;
        EXPECT_EQ(is_named, std::string(text) == "12 34") << second.error().message;
    }
}

}  // namespace
}  // namespace hora::horad
