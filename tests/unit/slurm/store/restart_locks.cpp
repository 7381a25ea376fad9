// Is a job's owner kept from it by horad's word alone, and for no longer than horad lives?
#include "plugins/slurm/store/restart_locks.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>

#include "tests/unit/scratch_folder.hpp"

namespace hora::slurm {
namespace {

class Locks : public testing::Test {
  protected:
    std::optional<RestartLock> found(std::uint32_t job, std::int64_t later = 0) const {
        return locks_.of(job, ::geteuid(), written_at("7") + later);
    }

    std::int64_t written_at(const std::string& name) const {
        struct stat status {};
        return ::stat(folder_.file(name).c_str(), &status) == 0 ? status.st_mtime
                                                                : std::time(nullptr);
    }

    const tests::ScratchFolder folder_;
    const RestartLocks locks_{folder_.path()};
    const RestartLock lock_{
        .uid = 1000, .key = "0123456789abcdef0123456789abcdef", .number = 12, .is_kept = true};
};

TEST_F(Locks, say_what_they_were_given) {
    const RestartLock locks[] = {
        lock_,
        {.uid = 0, .key = "k", .number = 0, .is_kept = false},
        {.uid = std::numeric_limits<std::uint32_t>::max(),
         .key = lock_.key,
         .number = std::numeric_limits<std::uint64_t>::max(),
         .is_kept = true},
        {.uid = 1, .key = "a key kept", .number = 2, .is_kept = false},
    };
    for (const RestartLock& lock : locks) {
        ASSERT_TRUE(locks_.take(7, lock));
        EXPECT_EQ(found(7), lock) << lock.uid;
    }
    EXPECT_EQ(found(8), std::nullopt);
    EXPECT_EQ(restart_locks_folder("/var/lib/hora"), "/var/lib/hora/locks");
}

TEST_F(Locks, are_listed_and_let_go) {
    EXPECT_TRUE(locks_.jobs().empty());
    ASSERT_TRUE(locks_.take(7, lock_));
    ASSERT_TRUE(locks_.take(4294967295U, lock_));
    for (const char* const name : {"12.new", "-3", "x", "4294967296", ""}) {
        if (*name != '\0') {
            folder_.write(name, "");
        }
    }
    auto jobs = locks_.jobs();
    std::sort(jobs.begin(), jobs.end());
    EXPECT_EQ(jobs, (std::vector<std::uint32_t>{7, 4294967295U})) << "of a killed horad is one";
    locks_.let_go(7);
    locks_.let_go(7);
    EXPECT_EQ(locks_.jobs(), std::vector<std::uint32_t>{4294967295U});
    EXPECT_TRUE(RestartLocks(folder_.file("missing")).jobs().empty());
}

TEST_F(Locks, count_for_a_while_after_they_were_written) {
    ASSERT_TRUE(locks_.take(7, lock_));
    EXPECT_TRUE(found(7, longest_lock));
    EXPECT_FALSE(found(7, longest_lock + 1));
    EXPECT_TRUE(found(7, -longest_lock)) << "a clock was set back";
    EXPECT_FALSE(found(7, -longest_lock - 1));
    const utimbuf long_ago{1000, 1000};
    ASSERT_EQ(::utime(folder_.file("7").c_str(), &long_ago), 0);
    EXPECT_FALSE(locks_.of(7, ::geteuid(), std::time(nullptr)));
    ASSERT_TRUE(locks_.take(7, lock_));
    EXPECT_TRUE(locks_.of(7, ::geteuid(), std::time(nullptr))) << "written anew";
}

TEST_F(Locks, are_horads_own_plain_files) {
    ASSERT_TRUE(locks_.take(7, lock_));
    if (::geteuid() == 0) {
        constexpr uid_t daemon = 1;
        ASSERT_EQ(::chown(folder_.file("7").c_str(), daemon, 0), 0);
        EXPECT_FALSE(found(7)) << "of another user";
        EXPECT_TRUE(locks_.of(7, daemon, written_at("7"))) << "whom the site trusts";
        ASSERT_EQ(::chown(folder_.file("7").c_str(), 0, 0), 0);
    }
    ASSERT_EQ(::chmod(folder_.file("7").c_str(), 0666), 0);
    EXPECT_FALSE(found(7)) << "anybody may write to it";
    ASSERT_TRUE(locks_.take(7, lock_));
    EXPECT_TRUE(found(7)) << "with its mode";
    std::filesystem::rename(folder_.file("7"), folder_.file("elsewhere"));
    std::filesystem::create_symlink(folder_.file("elsewhere"), folder_.file("7"));
    EXPECT_FALSE(found(7)) << "a link";
    std::filesystem::remove(folder_.file("7"));
    std::filesystem::create_directory(folder_.file("7"));
    EXPECT_FALSE(found(7)) << "a folder";
}

TEST_F(Locks, are_not_read_from_anything_else) {
    for (const char* const text :
         {"", "\n", "1000", "1000 ", "1000 12", "1000 12 ", "1000 12 kept\n", "1000 12  kept\n",
          "1000 12 key", "1000 12 key kept", "1000 12 key held\n", "-1 12 key kept\n",
          "4294967296 12 key kept\n", "1000 18446744073709551616 key kept\n", "1000 x key kept\n",
          " 1000 12 key kept\n"}) {
        folder_.write("7", text);
        EXPECT_FALSE(found(7)) << text;
    }
    folder_.write("7", "1000 12 " + std::string(86, 'k') + " kept\n");
    EXPECT_TRUE(found(7)) << "a hundred bytes";
    folder_.write("7", "1000 12 " + std::string(87, 'k') + " kept\n");
    EXPECT_FALSE(found(7)) << "one more";
}

TEST_F(Locks, that_cannot_be_taken_are_an_error_that_names_the_job) {
    const auto taken = RestartLocks(folder_.file("missing")).take(7, lock_);
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find("job 7"), std::string::npos) << taken.error().message;
}

}  // namespace
}  // namespace hora::slurm
