#include "scripts/watch-job/requeue/start_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(StartList, HasALineAStart) {
    EXPECT_THAT(read_starts("0 500 60\n1 900 61\n"),
                ElementsAre(PastStart{0, 500, Seconds(60)}, PastStart{1, 900, Seconds(61)}));
    EXPECT_EQ(to_line({1, 900, Seconds(60.7)}), "1 900 61\n");
    EXPECT_EQ(to_line({1, 900, Seconds(-5)}), "1 900 0\n");
}

TEST(StartList, TheLaterLineOfAStartHolds) {
    EXPECT_THAT(read_starts("1 500 60\n0 400 60\n1 700 80"),
                ElementsAre(PastStart{0, 400, Seconds(60)}, PastStart{1, 700, Seconds(80)}));
}

TEST(StartList, PassesOverWhatIsNoLine) {
    EXPECT_THAT(read_starts("\n\n0 500\n1 2 3 4\nx y z\n-1 2 3\n70000 1 1\n2 900 60\n"),
                ElementsAre(PastStart{2, 900, Seconds(60)}));
    EXPECT_THAT(read_starts(""), IsEmpty());
}

TEST(StartList, IsKeptInTheFolder) {
    const tests::ScratchFolder folder;
    EXPECT_THAT(load_starts(folder.path()), IsEmpty());
    ASSERT_TRUE(note_start(folder.path(), {0, 500, Seconds(60)}));
    ASSERT_TRUE(note_start(folder.path(), {1, 900, Seconds(61)}));
    EXPECT_THAT(load_starts(folder.path()),
                ElementsAre(PastStart{0, 500, Seconds(60)}, PastStart{1, 900, Seconds(61)}));
}

TEST(StartList, ATornLineSpoilsNoOther) {
    const tests::ScratchFolder folder;
    ASSERT_TRUE(note_start(folder.path(), {0, 500, Seconds(60)}));
    folder.append("restarts", "1 9");
    ASSERT_TRUE(note_start(folder.path(), {2, 950, Seconds(62)}));
    EXPECT_THAT(load_starts(folder.path()),
                ElementsAre(PastStart{0, 500, Seconds(60)}, PastStart{2, 950, Seconds(62)}));
}

TEST(StartList, SaysThatItCannotBeWritten) {
    const tests::ScratchFolder folder;
    ASSERT_EQ(mkdir((folder.path() + "/restarts").c_str(), 0700), 0);
    const auto noted = note_start(folder.path(), {0, 500, Seconds(60)});
    ASSERT_FALSE(noted);
    EXPECT_THAT(noted.error().message, HasSubstr("/restarts"));
}

RC_GTEST_PROP(StartList, SurvivesAnyText, (const std::string& text)) {
    for (const PastStart& start : read_starts(text)) {
        RC_ASSERT(start.restarts <= 0xffffU);
    }
}

}  // namespace
}  // namespace hora::watch
