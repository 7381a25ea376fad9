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
#include "tests/unit/small_disk.hpp"

namespace hora::horad {
namespace {

std::optional<Instance> acting_on(const std::string& folder) {
    auto claimed = Instance::claim_acting(folder);
    return claimed ? *std::move(claimed) : std::nullopt;
}

TEST(Instance, IsThereAlsoWhereNothingCanBeWritten) {
    struct Case {
        const char* name;
        bool has_run_before;
        void (*happens)(const tests::SmallDisk& disk);
        const char* trouble;
        bool is_locked;
    };
    const auto fill = [](const tests::SmallDisk& disk) { disk.fill(); };
    const auto use_up = [](const tests::SmallDisk& disk) { disk.use_up_files(); };
    const auto close = [](const tests::SmallDisk& disk) { disk.make_read_only(); };
    const Case cases[] = {
        {"a good disk", true, [](const tests::SmallDisk&) {}, "", true},
        {"a full one, whose file has room for a number", true, fill, "", true},
        {"a full one, for the first time", false, fill, "No space left on device", true},
        {"one without room for a file", false, use_up, "No space left on device", false},
        {"a read-only one", true, close, "Read-only file system", true},
        {"a read-only one, for the first time", false, close, "Read-only file system", false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const tests::SmallDisk disk;
        if (!disk.is_mounted()) {
            GTEST_SKIP() << "cannot mount";
        }
        if (each.has_run_before) {
            ASSERT_TRUE(Instance::claim(disk.path()) && acting_on(disk.path()));
        }
        each.happens(disk);
        const auto first = Instance::claim(disk.path());
        ASSERT_TRUE(first) << first.error().message;
        EXPECT_NE(first->trouble().find(each.trouble), std::string::npos) << first->trouble();
        EXPECT_EQ(first->trouble().empty(), std::string(each.trouble).empty());
        EXPECT_EQ(first->is_locked(), each.is_locked);
        EXPECT_EQ(!Instance::claim(disk.path()), each.is_locked);
        const auto acting = acting_on(disk.path());
        ASSERT_TRUE(acting);
        EXPECT_EQ(acting->is_locked(), each.is_locked);
        EXPECT_EQ(!acting_on(disk.path()), each.is_locked);
    }
}

TEST(Instance, NamesNoProcessOfBeforeOnAReadOnlyDisk) {
    const tests::SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "cannot mount";
    }
    ASSERT_TRUE(Instance::claim(disk.path()));
    disk.make_read_only();
    const auto first = Instance::claim(disk.path());
    const auto second = Instance::claim(disk.path());
    ASSERT_TRUE(first);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "horad runs already on \"" + disk.path() + "\"; end that one first");
}

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
        const auto acting = acting_on(folder.path());
        ASSERT_TRUE(acting);
        EXPECT_FALSE(acting_on(folder.path()));
    }
    EXPECT_TRUE(acting_on(folder.path())) << "it stands by again";
}

TEST(Instance, SaysWhyItCannotHaveTheTurn) {
    const tests::ScratchFolder folder;
    std::filesystem::create_symlink("/etc/passwd", folder.file("acting.lock"));
    folder.write("file", "");
    std::filesystem::create_directories(folder.file("folder/acting.lock"));
    const std::pair<std::string, std::string> cases[] = {
        {folder.path(), "Too many levels of symbolic links"},
        {folder.file("missing"), "No such file or directory"},
        {folder.file("file"), "Not a directory"},
        {folder.file("folder"), "Is a directory"},
    };
    for (const auto& [place, reason] : cases) {
        const auto acting = Instance::claim_acting(place);
        ASSERT_FALSE(acting) << place;
        EXPECT_EQ(acting.error().message,
                  "cannot open \"" + place + "/acting.lock\": " + reason +
                      "; the setting horad.state names the folder, which must be there and be "
                      "horad's");
    }
}

TEST(Instance, IsKeptByWhoeverItIsMovedTo) {
    const tests::ScratchFolder folder;
    std::optional<Instance> kept;
    {
        kept = acting_on(folder.path());
        ASSERT_TRUE(kept);
    }
    EXPECT_FALSE(acting_on(folder.path()));
    {
        auto other = Instance::claim(folder.path());
        ASSERT_TRUE(other);
        *kept = *std::move(other);
    }
    EXPECT_TRUE(acting_on(folder.path())) << "it was let go";
    EXPECT_FALSE(Instance::claim(folder.path()));
}

TEST(Instance, WritesDownItsPidForItsOwnerAlone) {
    const tests::ScratchFolder folder;
    folder.write("acting.lock", "99999999999999999999 of a daemon before, and more\n");
    const mode_t before = ::umask(0);
    const auto acting = acting_on(folder.path());
    ::umask(before);
    ASSERT_TRUE(acting);
    EXPECT_EQ(folder.read("acting.lock"), std::to_string(::getpid()) + "\n");
    const auto rights = std::filesystem::status(folder.file("acting.lock")).permissions();
    EXPECT_EQ(rights & std::filesystem::perms(0022), std::filesystem::perms::none);
}

TEST(Instance, NamesNoOtherProcessThanWhatTheFileSays) {
    const tests::ScratchFolder folder;
    const auto first = Instance::claim(folder.path());
    ASSERT_TRUE(first);
    const std::string lock =
        std::filesystem::directory_iterator(folder.path())->path().filename().string();
    const std::pair<const char*, const char*> texts[] = {
        {"", "horad runs already on"},
        {"\n", "horad runs already on"},
        {"x12", "horad runs already on"},
        {"12x34", "horad runs already, as process 12 on"},
        {"1234567890123456789", "horad runs already, as process 1234567890123456 on"},
    };
    for (const auto& [text, said] : texts) {
        folder.write(lock, text);
        const auto second = Instance::claim(folder.path());
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().message.substr(0, std::string(said).size()), said) << text;
    }
}

}  // namespace
}  // namespace hora::horad
