#include "contrib/trainer/progress.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>

#include "libplanner/read/trace/progress.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

TEST(ProgressFile, HoldsOneJsonLineAReport) {
    const tests::ScratchFolder scratch;
    {
        Progress progress(scratch.file("progress"));
        ASSERT_TRUE(progress.append({.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5}));
    }
    Progress again(scratch.file("progress"));
    ASSERT_TRUE(again.append({.step = 2, .epoch = 1, .samples = 128, .seconds = 0.25}));
    EXPECT_EQ(scratch.read("progress"),
              "{\"step\":1,\"epoch\":1,\"samples\":64,\"seconds\":0.500000}\n"
              "{\"step\":2,\"epoch\":1,\"samples\":128,\"seconds\":0.250000}\n");
}

TEST(ProgressFile, HoldsTheNoiseScaleOnceItIsKnown) {
    const tests::ScratchFolder scratch;
    Progress progress(scratch.file("progress"));
    ASSERT_TRUE(progress.append(
        {.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5, .noise_scale = 321.5}));
    EXPECT_EQ(scratch.read("progress"),
              "{\"step\":1,\"epoch\":1,\"samples\":64,\"seconds\":0.500000,"
              "\"noise_scale\":321.5}\n");
    EXPECT_TRUE(read::read_progress(scratch.read("progress")).has_value());
}

TEST(ProgressFile, IsReadBackByThePlanner) {
    const tests::ScratchFolder scratch;
    Progress progress(scratch.file("progress"));
    ASSERT_TRUE(progress.append({.step = 3, .epoch = 2, .samples = 192, .seconds = 0.125}));
    const auto read = read::read_progress(scratch.read("progress"));
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->reports.size(), 1u);
    EXPECT_EQ(read->reports[0], (domain::ProgressReport{3, 2, 192, Seconds(0.125)}));
}

TEST(ProgressFile, IsNowhereWithoutAName) {
    Progress progress("");
    EXPECT_TRUE(progress.append({.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5}));
}

TEST(ProgressFile, ComplainsOnceOfAFullDisk) {
    Progress progress("/dev/full");
    const Report report{.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5};
    const auto first = progress.append(report);
    ASSERT_FALSE(first.has_value());
    EXPECT_EQ(first.error().message,
              "cannot append to the progress file \"/dev/full\": No space left on device; training "
              "goes on");
    EXPECT_TRUE(progress.append(report).has_value());
}

// As on a disk that fills up in the middle of a line.
TEST(ProgressFile, SaysWhyALineHasNoRoom) {
    const tests::ScratchFolder scratch;
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const Report report{.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5};
    Progress progress(scratch.file("progress"));
    const rlimit short_one{.rlim_cur = 20, .rlim_max = limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &short_one), 0);
    errno = ENOENT;
    const auto torn = progress.append(report);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, before);
    ASSERT_FALSE(torn.has_value());
    EXPECT_NE(torn.error().message.find("File too large"), std::string::npos)
        << torn.error().message;
    ASSERT_TRUE(progress.append(report));
    EXPECT_EQ(scratch.read("progress"),
              "{\"step\":1,\"epoch\":1,\n"
              "{\"step\":1,\"epoch\":1,\"samples\":64,\"seconds\":0.500000}\n");
}

TEST(ProgressFile, SaysWhyItCannotBeOpened) {
    Progress progress("/nonexistent/progress");
    const auto appended = progress.append({.step = 1, .epoch = 1, .samples = 64, .seconds = 0.5});
    ASSERT_FALSE(appended.has_value());
    EXPECT_EQ(appended.error().message,
              "cannot append to the progress file \"/nonexistent/progress\": No such file or "
              "directory; training goes on");
}

}  // namespace
}  // namespace hora::trainer
