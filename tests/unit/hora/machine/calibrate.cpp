// Is what `hora calibrate` prints an entry that Hora takes, in figures that a person reads?
#include "scripts/hora/machine/calibrate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libplanner/read/settings/settings.hpp"
#include "tests/unit/hora/call.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

class CalibrateTest : public testing::Test {
  protected:
    // A run of so many samples a step.
    CalibrateTest() {
        std::string lines = "{\"step\":1,\"epoch\":1,\"samples\":64,\"seconds\":9.5}\n";
        for (int step = 2; step <= 20; ++step) {
            lines += fmt::format("{{\"step\":{},\"epoch\":1,\"samples\":{},\"seconds\":0.25}}\n",
                                 step, step * 64);
        }
        folder_.write("run", lines);
    }
    tests::Answer calibrate(const std::string& memory) const {
        return tests::call(&add_calibrate_command,
                           {"calibrate", "--model", "alexnet-mnist", "--progress",
                            folder_.file("run"), "--memory", memory});
    }

  private:
    const tests::ScratchFolder folder_;
};

TEST_F(CalibrateTest, FiguresHaveTheUnitOfTheirSize) {
    const tests::Answer answer = calibrate("8 GiB");
    EXPECT_NE(answer.data.find("peak 536.8 GFLOP/s to 489.1 TFLOP/s, memory 4.912 GB/s to "
                               "536.8 TB/s\n"),
              std::string::npos)
        << answer.data;
    EXPECT_EQ(answer.exit, Exit::done);
}

TEST_F(CalibrateTest, EntryIsTakenOrTheMemoryRefused) {
    struct Case {
        const char* memory;
        Exit exit;
    };
    const Case cases[] = {
        {"8 GiB", Exit::done},        {"0.5 TB", Exit::done}, {"0 GiB", Exit::wrong_use},
        {"-1 GiB", Exit::wrong_use},  {"8", Exit::wrong_use}, {"8 GiB\n", Exit::wrong_use},
        {"8 GiB\"", Exit::wrong_use},
    };
    for (const Case& row : cases) {
        const tests::Answer answer = calibrate(row.memory);
        EXPECT_EQ(answer.exit, row.exit) << row.memory;
        EXPECT_EQ(answer.data.empty(), row.exit != Exit::done) << row.memory;
        if (row.exit == Exit::done) {
            const auto settings = read::read_settings(answer.data, "hora.toml");
            EXPECT_TRUE(settings) << settings.error().message;
        }
    }
}

}  // namespace
}  // namespace hora::scripts
