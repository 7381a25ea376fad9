#include "scripts/watch-job/requeue/ready_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

TEST(ReadyFile, IsAStepAndAStart) {
    EXPECT_EQ(read_ready("500 3\n"), (Ready{500, 3}));
    EXPECT_EQ(read_ready("0 0"), (Ready{0, 0}));
    EXPECT_EQ(read_ready("9007199254740992 65535"), (Ready{std::uint64_t{1} << 53, 65535}));
}

TEST(ReadyFile, IsNothingElse) {
    for (const char* const text :
         {"", "\n", "500", "500 ", " 3", "500 3 4", "500  3", "-1 3", "500 -3", "5e2 3",
          "500 65536", "99999999999999999999 1", "500 3\n\n", "500\t3", "READY"}) {
        EXPECT_FALSE(read_ready(text)) << text;
    }
}

TEST(ReadyFile, IsFoundAndRemoved) {
    const tests::ScratchFolder folder;
    EXPECT_FALSE(find_ready(folder.path()));
    EXPECT_FALSE(find_ready(folder.path() + "/missing"));
    folder.append("READY", "500 3\n");
    EXPECT_EQ(find_ready(folder.path()), (Ready{500, 3}));
    remove_ready(folder.path());
    EXPECT_FALSE(find_ready(folder.path()));
    remove_ready(folder.path());
    remove_ready(folder.path() + "/missing");
}

TEST(ReadyFile, IsAPlainSmallFile) {
    const tests::ScratchFolder folder;
    const std::string ready = folder.path() + "/READY";
    ASSERT_EQ(mkfifo(ready.c_str(), 0600), 0);  // nobody writes: reading must not wait
    EXPECT_FALSE(find_ready(folder.path()));
    unlink(ready.c_str());
    folder.append("elsewhere", "500 3\n");
    ASSERT_EQ(symlink("elsewhere", ready.c_str()), 0);
    EXPECT_FALSE(find_ready(folder.path()));
    unlink(ready.c_str());
    ASSERT_EQ(mkdir(ready.c_str(), 0700), 0);
    EXPECT_FALSE(find_ready(folder.path()));
    rmdir(ready.c_str());
    folder.append("READY", "500 3\n" + std::string(1 << 20, ' '));
    EXPECT_FALSE(find_ready(folder.path()));
}

}  // namespace
}  // namespace hora::watch
