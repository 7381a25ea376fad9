// Does the page of `hora report` say what it leaves out?
#include "scripts/hora/history/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "scripts/history/database.hpp"
#include "tests/unit/hora/call.hpp"
#include "tests/unit/hora/site_folder.hpp"

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

class ReportTest : public tests::SiteFolder {
  protected:
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
        return written_page();
    }
    std::string page_of_run(const history::Sample& sample) {
        {
            auto database =
                history::Database::open(folder_.file("history.db"), history::Access::write);
            EXPECT_TRUE(database);
            EXPECT_TRUE(database->record(std::vector<history::Sample>{sample}));
        }
        return written_page();
    }

  private:
    std::string written_page() const {
        const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", page()});
        EXPECT_EQ(answer.exit, Exit::done) << answer.remarks;
        return folder_.read("page.html");
    }

    std::uint64_t jobs_ = 0;
};

TEST_F(ReportTest, SaysHowManyRescalesItDoesNotShow) {
    EXPECT_NE(page_of(500).find("Rescales, the newest first<"), std::string::npos);
    EXPECT_NE(page_of(501).find("Rescales, the newest 500 of 501<"), std::string::npos);
}

// The daemon is on another host, or never wrote: how many GPUs there are is not known then.
TEST_F(ReportTest, CountsSharesOfWhatWasHeldWhereNoStatusIs) {
    const std::int64_t now = std::time(nullptr);
    const std::string page = page_of_run({.of = {.job = 12, .submitted = now - 1000, .restarts = 0},
                                          .uid = 1000,
                                          .model = "resnet50",
                                          .device = "a100",
                                          .gpus = 4,
                                          .nodes = 1,
                                          .where = "n1",
                                          .batch = 64,
                                          .predicted_compute = {},
                                          .predicted_exchange = {},
                                          .step = Seconds(1),
                                          .steps = 500,
                                          .lost = {},
                                          .when = now - 500});
    EXPECT_NE(
        page.find("The number of GPUs is not known: shares are of the most that were allocated "
                  "at one time (4)."),
        std::string::npos);
    EXPECT_NE(page.find("<td>100.0 %</td>"), std::string::npos);
}

TEST_F(ReportTest, SaysThatAStatusCannotBeUsed) {
    ASSERT_TRUE(history::Database::open(folder_.file("history.db"), history::Access::write));
    const auto remarks = [&] {
        const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", page()});
        EXPECT_EQ(answer.exit, Exit::done) << answer.remarks;
        return answer.remarks;
    };
    EXPECT_EQ(remarks(), "") << "horad is on another host, or never wrote";
    folder_.write("status.json", "{\"version\": 1, \"torn");
    EXPECT_NE(remarks().find("status.json"), std::string::npos);
    EXPECT_NE(remarks().find("the page shows no job as running"), std::string::npos);
    std::filesystem::remove(folder_.file("status.json"));
    std::filesystem::create_directory(folder_.file("status.json"));
    EXPECT_NE(remarks().find("status.json"), std::string::npos);
}

TEST_F(ReportTest, PrintsThePageWhereItIsAskedTo) {
    const std::string page = page_of(1);
    const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", "-"});
    EXPECT_EQ(answer.exit, Exit::done) << answer.remarks;
    // The end of a page may have the time.
    EXPECT_EQ(answer.data.substr(0, 1000), page.substr(0, 1000));
    EXPECT_NE(answer.data.find("Rescales, the newest first<"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(ReportTest, FailsWithoutAHistory) {
    const tests::Answer answer = tests::call(&add_report_command, {"report", "--html", page()});
    EXPECT_EQ(answer.exit, Exit::failed);
    EXPECT_NE(answer.remarks.find("there is no "), std::string::npos) << answer.remarks;
    EXPECT_FALSE(std::filesystem::exists(page()));
}

}  // namespace
}  // namespace hora::scripts
