#include "scripts/watch-job/report/progress_tail.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

std::string line(std::uint64_t step, double seconds) {
    return fmt::format("{{\"step\":{},\"epoch\":1,\"samples\":{},\"seconds\":{}}}\n", step,
                       step * 64, seconds);
}

TEST(ProgressTail, HearsOnlyThisStart) {
    const tests::ScratchFolder folder;
    folder.append("progress", line(10, 1));
    ProgressTail tail(folder.path() + "/progress");
    EXPECT_FALSE(tail.look());
    EXPECT_FALSE(tail.newest());
    folder.append("progress", line(11, 1));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.newest()->step, 11U);
    EXPECT_EQ(tail.newest()->samples, 704U);
    EXPECT_EQ(tail.step_seconds(), Seconds());
    EXPECT_FALSE(tail.look());
}

TEST(ProgressTail, TakesTheMedianOfWhatAStepTook) {
    const tests::ScratchFolder folder;
    ProgressTail tail(folder.path() + "/progress");  // not there yet
    EXPECT_FALSE(tail.look());
    // The first line's time is of the start too, and of an unknown number of steps.
    folder.append("progress", line(10, 50) + line(20, 10) + line(30, 10) + line(40, 900));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.step_seconds(), Seconds(1));
}

TEST(ProgressTail, KeepsTheNewestNoiseScale) {
    const tests::ScratchFolder folder;
    ProgressTail tail(folder.path() + "/progress");
    folder.append("progress", line(10, 1));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.noise_scale(), 0U);
    folder.append("progress", "{\"step\":11,\"seconds\":1,\"noise_scale\":500.2}\n" +
                                  std::string("{\"step\":12,\"seconds\":1,\"noise_scale\":700}\n") +
                                  "{\"step\":13,\"seconds\":1,\"noise_scale\":-1}\n");
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.noise_scale(), 700U);
    folder.append("progress", line(14, 1));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.noise_scale(), 700U) << "a program may say it seldom";
}

TEST(ProgressTail, WaitsForTheEndOfALine) {
    const tests::ScratchFolder folder;
    ProgressTail tail(folder.path() + "/progress");
    const std::string whole = line(10, 1);
    folder.append("progress", whole.substr(0, 12));
    EXPECT_FALSE(tail.look());
    folder.append("progress", whole.substr(12));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.newest()->step, 10U);
}

TEST(ProgressTail, PassesOverWhatIsNoReport) {
    const tests::ScratchFolder folder;
    ProgressTail tail(folder.path() + "/progress");
    folder.append("progress", "rubbish\n" + std::string(300'000, 'x'));
    EXPECT_FALSE(tail.look());
    folder.append("progress", "\n" + line(10, 1) + "{}\n");
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.newest()->step, 10U);
}

TEST(ProgressTail, HearsTheNewestOfAFlood) {
    const tests::ScratchFolder folder;
    ProgressTail tail(folder.path() + "/progress");
    std::string flood;
    for (std::uint64_t step = 1; step <= 50'000; ++step) {
        flood += line(step, 0.5);
    }
    folder.append("progress", flood);
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.newest()->step, 50'000U);
    EXPECT_EQ(tail.step_seconds(), Seconds(0.5));
}

TEST(ProgressTail, BeginsAnewWithTheFile) {
    const tests::ScratchFolder folder;
    const std::string path = folder.path() + "/progress";
    ProgressTail tail(path);
    folder.append("progress", line(100, 1) + line(101, 1));
    EXPECT_TRUE(tail.look());
    ASSERT_EQ(truncate(path.c_str(), 0), 0);
    folder.append("progress", line(1, 1));
    EXPECT_TRUE(tail.look());
    EXPECT_EQ(tail.newest()->step, 1U);
}

TEST(ProgressTail, WaitsForNoPipe) {
    const tests::ScratchFolder folder;
    const std::string path = folder.path() + "/progress";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    ProgressTail tail(path);
    EXPECT_FALSE(tail.look());
    EXPECT_FALSE(ProgressTail("").look());
}

}  // namespace
}  // namespace hora::watch
