// Are events written in a file of the owner's alone, which nobody can lead elsewhere or make grow?
#include "scripts/watch-job/report/event_log.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

class EventLogTest : public testing::Test {
  protected:
    void write(const char* event, std::uint32_t restarts = 2) const {
        EventLog(folder_.path(), restarts).write(event);
    }
    std::string written() const { return folder_.read("hora.log"); }

    const tests::ScratchFolder folder_;
};

TEST_F(EventLogTest, TellsWhenAndOfWhichStart) {
    write("requeued");
    write("started", 3);
    EXPECT_TRUE(std::regex_match(
        written(), std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d start 2: requeued\n"
                              "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d start 3: started\n")))
        << written();
    struct stat found {};
    ASSERT_EQ(::stat(folder_.file("hora.log").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777U, 0600U);
}

TEST_F(EventLogTest, FollowsNoLink) {
    folder_.write("elsewhere", "theirs");
    ASSERT_EQ(symlink(folder_.file("elsewhere").c_str(), folder_.file("hora.log").c_str()), 0);
    write("requeued");
    EXPECT_EQ(folder_.read("elsewhere"), "theirs");
}

TEST_F(EventLogTest, WaitsForNoReaderOfAPipe) {
    ASSERT_EQ(mkfifo(folder_.file("hora.log").c_str(), 0600), 0);
    write("requeued");
}

TEST_F(EventLogTest, EndsWhereItIsLong) {
    constexpr std::size_t longest = 1 << 20;
    folder_.write("hora.log", std::string(longest - 1, 'x'));
    write("the last");
    const std::size_t size = written().size();
    EXPECT_GT(size, longest);
    write("one too many");
    EXPECT_EQ(written().size(), size);
}

TEST_F(EventLogTest, WithoutAFolderNothingIsWritten) {
    EventLog("", 2).write("requeued");
    EventLog(folder_.file("missing"), 2).write("requeued");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace hora::watch
