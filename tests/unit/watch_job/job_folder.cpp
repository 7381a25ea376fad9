#include "scripts/watch-job/job_folder.hpp"
#include "tests/unit/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hora::watch {
namespace {

namespace fs = std::filesystem;

// Where jobs of the caller have their folders by default.
const std::string shared_name = ".hora-" + std::to_string(geteuid());
const std::string shared = shared_name + "/";

class JobFolder : public testing::Test {
  protected:
    std::string make(const std::string& name) const {
        const fs::path path = place / name;
        fs::create_directories(path);
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }
    static void write(const fs::path& file) { std::ofstream(file) << "1\n"; }
    static void age(const fs::path& path, std::chrono::hours hours) {
        fs::last_write_time(path, fs::file_time_type::clock::now() - hours);
    }

    const tests::ScratchFolder scratch;
    const fs::path place = scratch.path();
};

TEST_F(JobFolder, OfAJobThatWroteNothingIsUnused) {
    const std::string folder = make(shared + "blue-1-2");
    EXPECT_TRUE(is_unused(folder));
    write(folder + "/restarts");
    EXPECT_TRUE(is_unused(folder));
    write(folder + "/progress.jsonl");
    EXPECT_FALSE(is_unused(folder));
    EXPECT_FALSE(is_unused(folder + "/none"));
}

TEST_F(JobFolder, KeepsTheRecordOfItsCommunication) {
    const std::string folder = make(shared + "blue-1-2");
    make(shared + "blue-1-2/step-3");
    make(shared + "blue-1-2/trace/0.0");
    write(folder + "/trace/0.0/0.jsonl");
    write(folder + "/progress.jsonl");
    remove_folder(folder);
    EXPECT_TRUE(fs::exists(folder + "/trace/0.0/0.jsonl"));
    EXPECT_FALSE(fs::exists(folder + "/step-3"));
    EXPECT_FALSE(fs::exists(folder + "/progress.jsonl"));
}

TEST_F(JobFolder, GoesWithAllThatIsInItAndTheEmptyOneAbove) {
    const std::string folder = make(shared + "blue-1-2");
    make(shared + "blue-1-2/step-3/shards");
    write(folder + "/step-3/shards/0");
    remove_folder(folder);
    EXPECT_FALSE(fs::exists(place / shared_name));
    EXPECT_TRUE(fs::exists(place));
}

TEST_F(JobFolder, LeavesThoseOfOtherJobsAndAFolderOfTheSite) {
    make(shared + "blue-2-2");
    remove_folder(make(shared + "blue-1-2"));
    EXPECT_TRUE(fs::exists(place / (shared + "blue-2-2")));
    remove_folder(make("scratch/blue-1-2"));
    EXPECT_TRUE(fs::exists(place / "scratch"));
    EXPECT_FALSE(fs::exists(place / "scratch/blue-1-2"));
}

TEST_F(JobFolder, LinksAreNotFollowed) {
    write(make("treasure") + "/gold");
    make(shared_name);
    fs::create_symlink(place / "treasure", place / (shared + "blue-1-2"));
    remove_folder((place / (shared + "blue-1-2")).string());
    EXPECT_TRUE(fs::exists(place / "treasure/gold")) << "in place of the folder";

    const std::string folder = make("chosen/" + shared + "blue-1-2");
    fs::create_symlink(place / "treasure", folder + "/link");
    remove_folder(folder);
    EXPECT_TRUE(fs::exists(place / "treasure/gold")) << "in the folder";
    EXPECT_FALSE(fs::exists(folder));

    make("elsewhere/blue-3-2");
    fs::create_directories(place / "work");
    fs::create_symlink(place / "elsewhere", place / ("work/" + shared_name));
    remove_folder((place / ("work/" + shared + "blue-3-2")).string());
    EXPECT_TRUE(fs::exists(place / "elsewhere/blue-3-2")) << "above the folder";
}

TEST_F(JobFolder, OneThatOthersMayWriteToStays) {
    const std::string folder = make(shared + "blue-1-2");
    ASSERT_EQ(chmod(folder.c_str(), 0770), 0);
    EXPECT_FALSE(is_unused(folder));
    remove_folder(folder);
    EXPECT_TRUE(fs::exists(folder));
}

// As a program with umask 002 makes them.
TEST_F(JobFolder, FoldersBelowGoWithTheirWritersWhereNobodyElseComesToThem) {
    const struct {
        const char* sentence;
        mode_t folder;
        mode_t below;
        bool is_removed;
    } cases[] = {{"a group may write, but not come to it", 0700, 0775, true},
                 {"all may write, but not come to it", 0700, 0777, true},
                 {"names of a closed folder are only read", 0744, 0775, true},
                 {"a group comes to it and may write", 0710, 0775, false},
                 {"others come to it and may write", 0701, 0702, false},
                 {"others come to it and may read", 0755, 0755, true}};
    for (const auto& one : cases) {
        const std::string folder = make("site/blue-1-2");
        const std::string below = make("site/blue-1-2/step-3/shards");
        write(below + "/0");
        ASSERT_EQ(chmod(below.c_str(), one.below), 0);
        ASSERT_EQ(chmod((folder + "/step-3").c_str(), one.below), 0);
        ASSERT_EQ(chmod(folder.c_str(), one.folder), 0);
        remove_folder(folder);
        EXPECT_EQ(!fs::exists(folder), one.is_removed) << one.sentence;
        EXPECT_EQ(!fs::exists(below + "/0"), one.is_removed) << one.sentence;
        fs::remove_all(folder);
    }
}

TEST(JobOfFolder, IsReadFromItsName) {
    const struct {
        const char* name;
        std::uint32_t job;
    } cases[] = {{"blue-12-345", 12}, {"blue-12", 0},       {"green-12-345", 0}, {"blue-x-345", 0},
                 {"blue-12-345x", 0}, {"blue-12-345-6", 0}, {"blue", 0},         {"", 0}};
    for (const auto& one : cases) {
        EXPECT_EQ(job_of_folder(one.name, "blue"), one.job) << one.name;
    }
}

TEST_F(JobFolder, ThoseOfOtherJobsGoWhenTheirTimeIsOver) {
    using std::chrono::hours;
    const std::string own = make(shared + "blue-1-2");
    for (const char* const name : {"blue-2-2", "blue-3-2", "blue-4-2", "red-5-2", "notes"}) {
        const fs::path folder = make(shared + name);
        write(folder / "checkpoint");
        age(folder / "checkpoint", hours(name == std::string("blue-3-2") ? 1 : 100));
        age(folder, hours(100));
    }
    age(own, hours(100));
    remove_expired(own, "blue", hours(48), std::chrono::system_clock::now(),
                   [](std::uint32_t job) { return job != 4; });
    EXPECT_FALSE(fs::exists(place / (shared + "blue-2-2")));
    EXPECT_TRUE(fs::exists(place / (shared + "blue-3-2"))) << "written to lately";
    EXPECT_TRUE(fs::exists(place / (shared + "blue-4-2"))) << "waits to go on";
    EXPECT_TRUE(fs::exists(place / (shared + "red-5-2"))) << "of another cluster";
    EXPECT_TRUE(fs::exists(place / (shared + "notes"))) << "of no job";
    EXPECT_TRUE(fs::exists(own));
}

}  // namespace
}  // namespace hora::watch
