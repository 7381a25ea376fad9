#include "plugins/spank/folder.hpp"
#include "tests/unit/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace hora::spank {
namespace {

class Folder : public testing::Test {
  protected:
    const tests::ScratchFolder scratch;
    const std::string& place = scratch.path();
};

TEST_F(Folder, IsMadeWithAllThatIsMissing) {
    const std::string path = place + "/.hora-7/blue-1-2";
    ASSERT_TRUE(make_folder(path, geteuid()));
    struct stat found {};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0700U);
}

TEST_F(Folder, MayBeThereAlready) {
    ASSERT_TRUE(make_folder(place + "/a", geteuid()));
    EXPECT_TRUE(make_folder(place + "/a", geteuid()));
}

TEST_F(Folder, IsRefusedWhereOthersMayWrite) {
    std::filesystem::create_directory(place + "/open");
    ASSERT_EQ(chmod((place + "/open").c_str(), 0777), 0);
    EXPECT_EQ(make_folder(place + "/open", geteuid()).error().message,
              "\"" + place + "/open\" is no folder that only you may write to");
    EXPECT_FALSE(make_folder(place + "/foreign", geteuid() + 1));
}

// In a folder that several users share, any of them may have made it before.
TEST_F(Folder, IsRefusedBelowAPlaceOfOthers) {
    const std::string above = place + "/.hora-" + std::to_string(geteuid());
    const std::string path = above + "/blue-1-2";
    const std::string refusal = "\"" + above + "\" is no folder that only you may write to";
    ASSERT_TRUE(make_folder(path, geteuid()));
    ASSERT_EQ(chmod(above.c_str(), 0777), 0);
    EXPECT_EQ(make_folder(path, geteuid()).error().message, refusal);
    std::filesystem::rename(above, place + "/real");
    ASSERT_EQ(chmod((place + "/real").c_str(), 0700), 0);
    std::filesystem::create_symlink(place + "/real", above);
    EXPECT_EQ(make_folder(path, geteuid()).error().message, refusal);
}

TEST_F(Folder, IsRefusedThroughALinkOrAFile) {
    std::filesystem::create_symlink("/tmp", place + "/link");
    EXPECT_FALSE(make_folder(place + "/link", geteuid()));
    EXPECT_EQ(make_folder("/dev/null/a", geteuid()).error().message,
              "cannot make the folder \"/dev/null/a\": Not a directory");
}

}  // namespace
}  // namespace hora::spank
