// Does a file appear whole or not at all, even after its last writer was killed?
#include "plugins/slurm/store/put_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::slurm {
namespace {

TEST(PutFile, replaces_the_whole_file) {
    const tests::ScratchFolder folder;
    const std::string path = folder.file("file");
    for (const std::string& text : {std::string("long enough"), std::string("short"), std::string(),
                                    std::string("a\0b", 3), std::string(1 << 20, 'x')}) {
        ASSERT_TRUE(put_file(path, text));
        EXPECT_EQ(folder.read("file"), text);
        EXPECT_FALSE(std::filesystem::exists(path + ".new"));
    }
}

TEST(PutFile, is_readable_whatever_the_umask_says) {
    const tests::ScratchFolder folder;
    const mode_t before = ::umask(0777);
    const auto put = put_file(folder.file("file"), "text");
    ::umask(before);
    ASSERT_TRUE(put);
    EXPECT_EQ(std::filesystem::status(folder.file("file")).permissions(),
              std::filesystem::perms(0644));
}

TEST(PutFile, goes_over_what_a_killed_writer_left) {
    const tests::ScratchFolder folder;
    folder.write("file.new", "half a text, and longer than the next");
    ASSERT_TRUE(put_file(folder.file("file"), "whole"));
    EXPECT_EQ(folder.read("file"), "whole");
}

TEST(PutFile, follows_no_link_and_keeps_the_old_file_where_it_fails) {
    const tests::ScratchFolder folder;
    folder.write("file", "old");
    folder.write("elsewhere", "another's");
    std::filesystem::create_symlink(folder.file("elsewhere"), folder.file("file.new"));
    const auto put = put_file(folder.file("file"), "new");
    ASSERT_FALSE(put);
    EXPECT_FALSE(put.error().message.empty());
    EXPECT_EQ(folder.read("elsewhere"), "another's");
    EXPECT_EQ(folder.read("file"), "old");
    std::filesystem::create_directories(folder.file("folder/full"));
    EXPECT_FALSE(put_file(folder.file("folder"), "new")) << "a folder is in its place";
    EXPECT_FALSE(std::filesystem::exists(folder.file("folder.new"))) << "nothing is left";
    EXPECT_FALSE(put_file(folder.file("missing/file"), "new"));
}

}  // namespace
}  // namespace hora::slurm
