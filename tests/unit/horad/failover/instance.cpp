// Is a second daemon on a host refused, and of several hosts all but one?
#include "scripts/horad/failover/instance.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

TEST(Instance, ASecondOneIsRefusedAndNamesTheFirst) {
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder folder;
    std::filesystem::create_symlink("/etc/passwd", folder.file("acting.lock"));
    EXPECT_FALSE(Instance::claim_acting(folder.path()));
}

TEST(Instance, IsKeptByWhoeverItIsMovedTo) {
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder folder;
    const auto acting = Instance::claim_acting(folder.path());
    ASSERT_TRUE(acting);
    const std::pair<const char*, const char*> texts[] = {
        {"", "horad runs already on"},
        {"\n", "horad runs already on"},
        {"x12", "horad runs already on"},
        {"12x34", "horad runs already, as process 12 on"},
        {"1234567890123456789", "horad runs already, as process 1234567890123456 on"},
    };
    for (const auto& [text, said] : texts) {
        folder.write("acting.lock", text);
        const auto second = Instance::claim_acting(folder.path());
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().message.substr(0, std::string(said).size()), said) << text;
    }
}

}  // namespace
}  // namespace hora::horad
