#include "contrib/nccl/ring_check.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A command in hora's place that tells what it was called with.
class RingCheckTest : public testing::Test {
  protected:
    void SetUp() override { stand_in("exit 0"); }

    void stand_in(const std::string& end) {
        scratch_.write("hora", "#!/bin/sh\necho \"$@\" >>" + scratch_.file("calls") +
                                   "\n[ \"$1\" = topology ] && { echo '{}'; " + end +
                                   "; }\ncp \"$5\" " + scratch_.file("log") + "\n" + end + "\n");
        chmod(scratch_.file("hora").c_str(), 0700);
    }
    RingCheck check() const {
        return {.hora = scratch_.file("hora"), .topology = {}, .cluster = {}};
    }
    Expected<int> judge(const RingCheck& check) const {
        return judge_ring(check, "NCCL INFO …\n", scratch_.path());
    }

    tests::ScratchFolder scratch_;
};

TEST_F(RingCheckTest, LooksAtTheMachineItself) {
    const auto code = judge(check());
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(*code, 0);
    EXPECT_EQ(scratch_.read("calls"), "topology --local --json\nring --topology " +
                                          scratch_.file("machine.json") + " --verify " +
                                          scratch_.file("nccl.log") + "\n");
    EXPECT_EQ(scratch_.read("machine.json"), "{}\n");
    EXPECT_EQ(scratch_.read("log"), "NCCL INFO …\n");
}

TEST_F(RingCheckTest, TakesWhatItIsTold) {
    RingCheck told = check();
    told.topology = "box.xml";
    ASSERT_TRUE(judge(told));
    EXPECT_THAT(scratch_.read("calls"), StartsWith("ring --topology box.xml --verify "));
    std::filesystem::remove(scratch_.file("calls"));
    told = check();
    told.cluster = "cluster.toml";
    ASSERT_TRUE(judge(told));
    EXPECT_THAT(scratch_.read("calls"), StartsWith("ring --cluster cluster.toml --verify "));
}

TEST_F(RingCheckTest, HandsOnTheVerdict) {
    RingCheck told = check();
    told.topology = "box.xml";
    for (const int expected : {0, 1, 2}) {
        stand_in("exit " + std::to_string(expected));
        const auto code = judge(told);
        ASSERT_TRUE(code) << code.error().message;
        EXPECT_EQ(*code, expected);
    }
}

TEST_F(RingCheckTest, SaysWhatKeepsItFromJudging) {
    stand_in("exit 1");
    const auto unknown = judge(check());
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, HasSubstr("hora knows no topology of this machine"));
    stand_in("kill -9 $$");
    RingCheck told = check();
    told.topology = "box.xml";
    const auto killed = judge(told);
    ASSERT_FALSE(killed);
    EXPECT_THAT(killed.error().message, HasSubstr("was ended by signal 9"));
    told.hora = "/nonexistent/hora";
    const auto absent = judge(told);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().message,
              "cannot run \"/nonexistent/hora\": No such file or directory; name it with --hora");
}

TEST(NcclLog, IsForItsUserAlone) {
    std::string folder;
    {
        const auto log = NcclLog::begin();
        ASSERT_TRUE(log) << log.error().message;
        folder = (*log)->folder();
        struct stat state {};
        ASSERT_EQ(stat(folder.c_str(), &state), 0);
        EXPECT_EQ(state.st_mode & 0777, 0700U);
        EXPECT_STREQ(std::getenv("NCCL_DEBUG"), "INFO");
        EXPECT_STREQ(std::getenv("NCCL_DEBUG_SUBSYS"), "INIT,GRAPH");
        EXPECT_EQ(std::getenv("NCCL_DEBUG_FILE"), folder + "/rank.%h.%p");
        EXPECT_FALSE((*log)->text()) << "nothing was logged";
        std::ofstream(folder + "/rank.n1.7") << "one\n";
        std::ofstream(folder + "/machine.json") << "{}";
        EXPECT_EQ((*log)->text().value_or(""), "one\n");
    }
    EXPECT_FALSE(std::filesystem::exists(folder)) << "it is gone with the object";
}

}  // namespace
}  // namespace hora::trainer
