// May slurmctld, and nobody else, leave plans in the folder?
#include "scripts/horad/observe/spool_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "scripts/hora/site/state_files.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

class Spool : public testing::Test {
  protected:
    mode_t mode() const {
        struct stat status {};
        EXPECT_EQ(::lstat(spool_.c_str(), &status), 0);
        return status.st_mode & 07777U;
    }
    bool is_there() const { return std::filesystem::exists(spool_); }

    const tests::ScratchFolder folder_;
    const std::string spool_ = folder_.file("plans");
};

TEST_F(Spool, of_a_slurmctld_of_the_same_user_is_that_users) {
    for (const bool is_private : {false, true, false}) {
        const auto opened = open_spool(spool_, ::geteuid(), is_private);
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ(mode(), is_private ? 0700U : 0755U);
    }
}

TEST_F(Spool, is_whatever_the_umask_says) {
    const mode_t before = ::umask(0777);
    const auto opened = open_spool(spool_, ::geteuid(), false);
    ::umask(before);
    ASSERT_TRUE(opened);
    EXPECT_EQ(mode(), 0755U);
}

// Sticky: no other member of the group can remove a record.
TEST_F(Spool, of_another_users_slurmctld_is_its_groups) {
    constexpr uid_t daemon = 1;
    const auto group = scripts::group_of(daemon);
    if (::geteuid() != 0 || !group) {
        GTEST_SKIP() << "only root gives a folder to another group";
    }
    for (const bool is_private : {false, true}) {
        const auto opened = open_spool(spool_, daemon, is_private);
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ(mode(), is_private ? 01770U : 01775U);
        struct stat status {};
        ASSERT_EQ(::lstat(spool_.c_str(), &status), 0);
        EXPECT_EQ(status.st_gid, *group);
        EXPECT_EQ(status.st_uid, 0U);
    }
}

TEST_F(Spool, of_another_group_is_made_anew) {
    constexpr uid_t daemon = 1;
    if (::geteuid() != 0 || !scripts::group_of(daemon)) {
        GTEST_SKIP() << "only root gives a folder to another group";
    }
    ASSERT_TRUE(open_spool(spool_, ::geteuid(), true));
    EXPECT_FALSE(open_spool(spool_, daemon, true)) << "it was root's";
    EXPECT_FALSE(is_there());
    EXPECT_TRUE(open_spool(spool_, daemon, true));
}

TEST_F(Spool, is_no_link_no_file_and_nobody_elses_folder) {
    std::filesystem::create_directory(folder_.file("elsewhere"));
    std::filesystem::create_directory_symlink(folder_.file("elsewhere"), spool_);
    EXPECT_FALSE(open_spool(spool_, ::geteuid(), false)) << "a link";
    std::filesystem::remove(spool_);
    folder_.write("plans", "");
    EXPECT_FALSE(open_spool(spool_, ::geteuid(), false)) << "a file";
    std::filesystem::remove(spool_);
    if (::geteuid() == 0) {
        std::filesystem::create_directory(spool_);
        ASSERT_EQ(::chown(spool_.c_str(), 1, 0), 0);
        const auto opened = open_spool(spool_, ::geteuid(), false);
        ASSERT_FALSE(opened) << "another user's";
        EXPECT_NE(opened.error().message.find("not a folder of horad's own"), std::string::npos);
    }
    EXPECT_FALSE(open_spool(folder_.file("missing/plans"), ::geteuid(), false));
}

TEST_F(Spool, is_closed_for_slurmctld_and_keeps_what_waits_in_it) {
    ASSERT_TRUE(open_spool(spool_, ::geteuid(), false));
    close_spool(spool_);
    EXPECT_FALSE(is_there());
    close_spool(spool_);
    std::filesystem::create_directory(spool_);
    ASSERT_EQ(::chmod(spool_.c_str(), 01775), 0);
    folder_.write("plans/1a-2b", "a record");
    close_spool(spool_);
    EXPECT_EQ(mode(), 01755U) << "its group can add no more";
    EXPECT_EQ(folder_.read("plans/1a-2b"), "a record");
}

TEST_F(Spool, that_is_a_link_is_not_closed) {
    std::filesystem::create_directory(folder_.file("elsewhere"));
    ASSERT_EQ(::chmod(folder_.file("elsewhere").c_str(), 0777), 0);
    std::filesystem::create_directory_symlink(folder_.file("elsewhere"), spool_);
    close_spool(spool_);
    struct stat status {};
    ASSERT_EQ(::stat(folder_.file("elsewhere").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0777U);
}

TEST_F(Spool, is_to_be_shared_where_there_are_several_controllers) {
    slurm_conf_t configuration{};
    std::string missing = folder_.file("missing");
    configuration.state_save_location = missing.data();
    configuration.control_cnt = 1;
    const std::string history = folder_.file("history.db");
    EXPECT_EQ(why_not_spooled(configuration, missing, missing + "/history.db"), "");
    configuration.control_cnt = 2;
    std::string beside = folder_.path();
    configuration.state_save_location = beside.data();
    EXPECT_EQ(why_not_spooled(configuration, folder_.path(), history), "")
        << "on the file system of StateSaveLocation";
    EXPECT_NE(why_not_spooled(configuration, missing, history).find(missing), std::string::npos);
    EXPECT_NE(why_not_spooled(configuration, folder_.path(), missing + "/history.db").find(missing),
              std::string::npos);
    std::string process = "/proc/self";
    configuration.state_save_location = process.data();
    EXPECT_NE(why_not_spooled(configuration, folder_.path(), history), "");
    configuration.state_save_location = nullptr;
    EXPECT_NE(why_not_spooled(configuration, folder_.path(), history), "");
}

}  // namespace
}  // namespace hora::horad
