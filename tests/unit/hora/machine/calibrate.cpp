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
        lines.clear();
        for (int step = 10; step <= 200; step += 10) {
            lines += fmt::format("{{\"step\":{},\"epoch\":1,\"samples\":{},\"seconds\":2.5}}\n",
                                 step, step * 64);
        }
        folder_.write("ten_steps_a_line", lines);
    }
    tests::Answer calibrate(const std::string& memory) const {
        return tests::call(&add_calibrate_command,
                           {"calibrate", "--model", "alexnet-mnist", "--progress",
                            folder_.file("run"), "--memory", memory});
    }

    // Of the batch that a caller states.
    tests::Answer calibrate(const std::string& run, const std::string& batch) const {
        return tests::call(&add_calibrate_command,
                           {"calibrate", "--model", "alexnet-mnist", "--progress",
                            folder_.file(run), "--memory", "8 GiB", "--batch", batch});
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

TEST_F(CalibrateTest, BatchIsOneThatTheLinesAllow) {
    struct Case {
        const char* run;
        const char* batch;
        const char* remark;  // part of it; "": the batch is taken
    };
    const Case cases[] = {
        {"run", "64", ""},
        {"run", "65", "the lines say 64 samples a step, --batch says 65"},
        {"ten_steps_a_line", "64", ""},
        {"ten_steps_a_line", "71", ""},
        {"ten_steps_a_line", "72", "the lines say 64 to 71 samples a step, --batch says 72"},
        {"ten_steps_a_line", "63", "the lines say 64 to 71 samples a step, --batch says 63"},
    };
    for (const Case& row : cases) {
        const std::string remark = row.remark;
        const tests::Answer answer = calibrate(row.run, row.batch);
        EXPECT_EQ(answer.exit, remark.empty() ? Exit::done : Exit::wrong_use) << row.batch;
        EXPECT_NE(answer.remarks.find(remark), std::string::npos) << answer.remarks;
    }
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
