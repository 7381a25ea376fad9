#include "scripts/hora/site/state_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

namespace fs = std::filesystem;

constexpr gid_t slurms = 64030;

struct Case {
    const char* sentence;
    StateFile file;
    Privacy privacy;
    mode_t mode;
    std::optional<gid_t> group;
};

constexpr Privacy open{.slurmctld = slurms};
constexpr Privacy hides_jobs{.hides_jobs = true, .slurmctld = slurms};
constexpr Privacy hides_accounts{.hides_accounts = true, .slurmctld = slurms};
constexpr Privacy no_group{.hides_jobs = true, .slurmctld = std::nullopt};

const Case cases[] = {
    {"everybody may see the status", StateFile::status, open, 0644, {}},
    {"the status is of jobs", StateFile::status, hides_jobs, 0600, {}},
    {"the status names no account", StateFile::status, hides_accounts, 0644, {}},
    {"metrics are for a collector's group", StateFile::metrics, hides_jobs, 0640, {}},
    {"the history is of jobs", StateFile::history, hides_jobs, 0600, {}},
    {"'hora history' is for everybody", StateFile::history, open, 0644, {}},
    {"'hora plan' reads the snapshot", StateFile::snapshot, open, 0644, {}},
    {"slurmctld still plans on it", StateFile::snapshot, hides_jobs, 0640, slurms},
    {"the snapshot has limits of accounts", StateFile::snapshot, hides_accounts, 0640, slurms},
    {"SlurmUser without a group", StateFile::snapshot, no_group, 0600, {}},
    {"only horad reads its journal", StateFile::journal, open, 0600, {}},
    {"and the resizes of an earlier one", StateFile::resizes, open, 0600, {}},
    {"and what jobs asked for", StateFile::given_sizes, open, 0600, {}},
    {"and what they have had", StateFile::past_runs, open, 0600, {}},
    {"and what they were planned as", StateFile::replaced_plans, open, 0600, {}},
    {"and what it restarted", StateFile::restarts, open, 0600, {}},
    {"a lock holds no job", StateFile::lock, hides_jobs, 0644, {}},
};

TEST(StateFiles, AreReadableForThoseWhomTheSiteLets) {
    for (const Case& test : cases) {
        const FileRights rights = rights_of(test.file, test.privacy);
        EXPECT_EQ(rights.mode, test.mode) << test.sentence;
        EXPECT_EQ(rights.group, test.group) << test.sentence;
    }
}

class StateFolder : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text = "{}") const {
        std::ofstream(folder_.file(name)) << text;
        return folder_.file(name);
    }
    static struct stat look_at(const std::string& path) {
        struct stat status {};
        EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
        return status;
    }
    static mode_t mode_of(const std::string& path) { return look_at(path).st_mode & 07777U; }

    const tests::ScratchFolder folder_;
};

TEST_F(StateFolder, FilesThatAreThereGetTheirRightsAnew) {
    const std::string path = write("status.json");
    fs::permissions(path, fs::perms(0644));
    ASSERT_TRUE(apply_rights(path, {.mode = 0600}));
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_TRUE(apply_rights(folder_.file("missing"), {.mode = 0600}));
}

TEST_F(StateFolder, RightsFollowNoLink) {
    const std::string path = write("another");
    fs::permissions(path, fs::perms(0600));
    fs::create_symlink(path, folder_.file("status.json"));
    EXPECT_TRUE(apply_rights(folder_.file("status.json"), {.mode = 0644}));
    EXPECT_EQ(mode_of(path), 0600U);
}

TEST_F(StateFolder, WhatIsWrittenHasItsModeAndGroup) {
    const mode_t before = ::umask(0077);
    const std::string path = folder_.file("snapshot.json");
    const bool can_choose = ::geteuid() == 0;
    const gid_t group = can_choose ? slurms : ::getegid();
    ASSERT_TRUE(replace_file(path, "{}", {.mode = 0640, .group = group}));
    ::umask(before);
    EXPECT_EQ(mode_of(path), 0640U);
    EXPECT_EQ(look_at(path).st_gid, group);
    ASSERT_TRUE(replace_file(folder_.file("next"), "{}"));
    EXPECT_EQ(look_at(folder_.file("next")).st_gid, ::getegid()) << "of that file alone";
    if (can_choose) {
        ASSERT_TRUE(replace_file(path, "{}"));
        ASSERT_TRUE(apply_rights(path, {.mode = 0640, .group = group}));
        EXPECT_EQ(look_at(path).st_gid, group);
    }
}

TEST_F(StateFolder, ADamagedFileIsSetAsideWithItsJournal) {
    const std::string path = write("history.db", "damaged");
    write("history.db-journal", "half");
    const auto first = set_aside(path);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_TRUE(first->starts_with(path + ".damaged-20")) << *first;
    EXPECT_FALSE(fs::exists(path));
    EXPECT_FALSE(fs::exists(path + "-journal"));
    EXPECT_TRUE(fs::exists(*first + "-journal"));
    EXPECT_EQ(mode_of(*first), 0600U);
    write("history.db", "damaged again");
    const auto second = set_aside(path);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_NE(*first, *second);
    std::stringstream kept;
    kept << std::ifstream(*first).rdbuf();
    EXPECT_EQ(kept.str(), "damaged");
    EXPECT_FALSE(set_aside(folder_.file("missing")));
}

TEST_F(StateFolder, TemporaryFilesOfAKilledWriterGo) {
    const std::string path = write("resizes.json");
    const std::string old = write("resizes.json.new-aB3xYz");
    const std::string fresh = write("resizes.json.new-aB3xYy");
    const std::string others[] = {write("resizes.json.backup"), write("resized.json.new-aB3xYz"),
                                  write("resizes.json.a-3xYz")};
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(path, long_ago);
    fs::last_write_time(old, long_ago);
    for (const std::string& other : others) {
        fs::last_write_time(other, long_ago);
    }
    fs::create_symlink(path, folder_.file("resizes.json.new-linked"));
    remove_temporaries(path, std::chrono::seconds(60));
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(fresh)) << "somebody writes it just now";
    EXPECT_TRUE(fs::exists(path));
    EXPECT_TRUE(fs::exists(folder_.file("resizes.json.new-linked")));
    for (const std::string& other : others) {
        EXPECT_TRUE(fs::exists(other)) << other;
    }
}

}  // namespace
}  // namespace hora::scripts
