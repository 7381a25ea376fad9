// Does the page of `hora report` say what it leaves out?
#include "scripts/hora/history/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>

#include "scripts/history/database.hpp"
#include "tests/unit/hora/call.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

history::Rescale rescale(std::uint64_t job) {
    return {.of = {.job = job, .submitted = 1700000000, .restarts = 0},
            .uid = 1000,
            .from = 2,
            .requested = 4,
            .to = 4,
            .why = "idle GPUs",
            .outcome = "done",
            .remark = "",
            .asked = static_cast<double>(std::time(nullptr)),
            .ready = {},
            .started = {},
            .first_step = {},
            .lost = {},
            .step_before = {},
            .step_after = {}};
}

class ReportTest : public testing::Test {
  protected:
    ReportTest() {
        ::setenv("HORA_CONF", "/dev/null", 1);
        ::setenv("HORA_CONF_HORAD_STATE", folder_.path().c_str(), 1);
        ::setenv("HORA_CONF_HISTORY_PATH", folder_.file("history.db").c_str(), 1);
    }
    ~ReportTest() override {
        for (const char* const name :
             {"HORA_CONF", "HORA_CONF_HORAD_STATE", "HORA_CONF_HISTORY_PATH"}) {
            ::unsetenv(name);
        }
    }
    std::string page() const { return folder_.file("page.html"); }
    // The page of a history with so many rescales.
    std::string page_of(std::uint64_t rescales) {
        {
            auto database =
                history::Database::open(folder_.file("history.db"), history::Access::write);
            EXPECT_TRUE(database);
            for (; jobs_ < rescales; ++jobs_) {
                EXPECT_TRUE(database->record(rescale(jobs_ + 1)));
            }
        }
        const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", page()});
        EXPECT_EQ(answer.exit, Exit::done) << answer.remarks;
        return folder_.read("page.html");
    }

  private:
    const tests::ScratchFolder folder_;
    std::uint64_t jobs_ = 0;
};

TEST_F(ReportTest, SaysHowManyRescalesItDoesNotShow) {
    EXPECT_NE(page_of(500).find("Rescales, the newest first<"), std::string::npos);
    EXPECT_NE(page_of(501).find("Rescales, the newest 500 of 501<"), std::string::npos);
}

TEST_F(ReportTest, FailsWithoutAHistory) {
    const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", page()});
    EXPECT_EQ(answer.exit, Exit::failed);
    EXPECT_NE(answer.remarks.find("there is no "), std::string::npos) << answer.remarks;
    EXPECT_FALSE(std::filesystem::exists(page()));
}

}  // namespace
}  // namespace hora::scripts
