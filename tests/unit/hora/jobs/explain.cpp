// Does `hora explain` say what it knows of a job, and what it could not read?
#include "scripts/hora/jobs/explain.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "libplanner/report/jobs/decision_token.hpp"
#include "scripts/history/database.hpp"
#include "tests/unit/hora/call.hpp"
#include "tests/unit/hora/site_folder.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/load_job.hpp"

namespace hora::scripts {
namespace {

class ExplainTest : public tests::SiteFolder {
  protected:
    ExplainTest() {
        domain::Decision decision;
        decision.operating = "act";
        decision.remark = "no GPUs are known";
        decision.submitted = 1700000000;
        comment_ = report::to_token(decision);
        slurm_job_info_t job = slurm::plain_record();
        job.job_id = 12;
        job.job_state = JOB_PENDING;
        job.admin_comment = comment_.data();
        tests::job_answer().load_error = 0;
        tests::job_answer().jobs = {job};
    }
    ~ExplainTest() override { tests::job_answer().jobs.clear(); }

    history::Database database() const {
        auto opened = history::Database::open(folder_.file("history.db"), history::Access::write);
        EXPECT_TRUE(opened) << opened.error().message;
        return *std::move(opened);
    }
    static tests::Answer explain(const std::string& job = "12") {
        return tests::call(&add_explain_command, {"explain", job});
    }

    std::string comment_;
};

TEST_F(ExplainTest, NeedsNoHistory) {
    const tests::Answer without = explain();
    EXPECT_NE(without.data.find("no GPUs are known"), std::string::npos) << without.data;
    EXPECT_EQ(without.remarks, "");
    EXPECT_EQ(without.exit, Exit::done);
    database();
    const tests::Answer empty = explain();
    EXPECT_EQ(empty.data, without.data);
    EXPECT_EQ(empty.remarks, "");
}

TEST_F(ExplainTest, HasTheRescalesOfThisSubmissionTheOldestFirst) {
    const auto rescale = [](std::int64_t submitted, std::uint32_t restarts, std::uint32_t to) {
        return history::Rescale{.of = {.job = 12, .submitted = submitted, .restarts = restarts},
                                .uid = 1000,
                                .from = 2,
                                .requested = to,
                                .to = to,
                                .why = "idle GPUs",
                                .outcome = "done",
                                .remark = "",
                                .asked = 1700000000.0 + restarts,
                                .ready = {},
                                .started = {},
                                .first_step = {},
                                .lost = {},
                                .step_before = {},
                                .step_after = {}};
    };
    {
        history::Database known = database();
        ASSERT_TRUE(known.record(rescale(1700000000, 0, 4)));
        ASSERT_TRUE(known.record(rescale(1700000000, 1, 8)));
        ASSERT_TRUE(known.record(rescale(1600000000, 2, 16)));
    }
    const tests::Answer answer = explain();
    const std::size_t first = answer.data.find("2 -> 4 GPUs");
    EXPECT_NE(first, std::string::npos) << answer.data;
    EXPECT_GT(answer.data.find("2 -> 8 GPUs"), first);
    EXPECT_EQ(answer.data.find("2 -> 16 GPUs"), std::string::npos) << "of a job before it";
    EXPECT_EQ(answer.remarks, "");
}

// The plan is printed all the same.
TEST_F(ExplainTest, SaysInOneLineThatTheHistoryCannotBeRead) {
    struct Case {
        const char* sentence;
        void (*spoil)(const std::string& file);
        const char* said;
    };
    const Case cases[] = {
        {"no history at all",
         [](const std::string& file) { std::ofstream(file) << std::string(5000, 'x'); },
         "is no SQLite file"},
        {"one that was cut",
         [](const std::string& file) { std::filesystem::resize_file(file, 5000); }, "is damaged"},
        {"one whose first page is overwritten",
         [](const std::string& file) {
             std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(100)
                 << std::string(3000, '\xff');
         },
         "is damaged"},
        {"a folder",
         [](const std::string& file) {
             std::filesystem::remove(file);
             std::filesystem::create_directory(file);
         },
         "is no regular file"},
        {"a link to itself",
         [](const std::string& file) {
             std::filesystem::remove(file);
             std::filesystem::create_symlink(file, file);
         },
         "Too many levels of symbolic links"},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        std::filesystem::remove_all(folder_.file("history.db"));
        database();
        row.spoil(folder_.file("history.db"));
        const tests::Answer answer = explain();
        EXPECT_NE(answer.data.find("no GPUs are known"), std::string::npos) << answer.data;
        EXPECT_NE(answer.remarks.find(row.said), std::string::npos) << answer.remarks;
        EXPECT_TRUE(answer.remarks.starts_with("hora: ")) << answer.remarks;
        EXPECT_EQ(std::count(answer.remarks.begin(), answer.remarks.end(), '\n'), 1)
            << answer.remarks;
        EXPECT_EQ(answer.exit, Exit::done);
    }
}

// Its user may put anything there; a FIFO has no end before a process writes to it.
TEST_F(ExplainTest, WaitsForNoWriterOfTheProgress) {
    constexpr unsigned longest = 60;  // seconds, after which the signal ends the test
    const std::string job_folder = folder_.file("12-1700000000");
    std::filesystem::create_directory(job_folder);
    ASSERT_EQ(::mkfifo((job_folder + "/progress.jsonl").c_str(), 0600), 0);
    ::setenv("HORA_CONF_CHECKPOINT_PATH", folder_.file("{job}-{submit}").c_str(), 1);
    ::alarm(longest);
    const tests::Answer answer = explain();
    ::alarm(0);
    ::unsetenv("HORA_CONF_CHECKPOINT_PATH");
    EXPECT_NE(answer.data.find("no GPUs are known"), std::string::npos) << answer.data;
    EXPECT_EQ(answer.exit, Exit::done);
}

TEST_F(ExplainTest, SaysWhatKeepsItFromThePlan) {
    struct Case {
        const char* sentence;
        const char* job;
        std::string comment;
        const char* said;
    };
    const Case cases[] = {
        {"no number", "12x", "", "12x"},
        {"no word of Hora's", "12", "JS1:x", "job 12 has no plan"},
        {"a token that was cut", "12", comment_.substr(0, comment_.size() / 2), "job 12: "},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        std::string comment = row.comment;
        tests::job_answer().jobs[0].admin_comment = comment.data();
        const tests::Answer answer = explain(row.job);
        EXPECT_EQ(answer.data, "");
        EXPECT_NE(answer.remarks.find(row.said), std::string::npos) << answer.remarks;
        EXPECT_NE(answer.exit, Exit::done);
    }
}

TEST_F(ExplainTest, TellsWhatTheWordSaysWhereThePlanIsElsewhere) {
    std::string word = "hora=1a,act,none";
    tests::job_answer().jobs[0].admin_comment = word.data();
    const tests::Answer answer = explain();
    EXPECT_EQ(answer.exit, Exit::done);
    EXPECT_NE(answer.data.find("12"), std::string::npos) << answer.data;
    EXPECT_NE(answer.remarks.find("the whole plan of job 12 is in horad's database"),
              std::string::npos)
        << answer.remarks;
}

}  // namespace
}  // namespace hora::scripts
