// Which texts are a job's number?
#include "plugins/slurm/find_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace hora::slurm {
namespace {

TEST(FindJob, ReadsTheNumbersThatSqueuePrints) {
    EXPECT_EQ(parse_job_number("12")->job, 12U);
    EXPECT_EQ(parse_job_number("12_3")->task, 3U);
    EXPECT_EQ(parse_job_number("12+1")->component, 1U);
    EXPECT_EQ(parse_job_number("4294967293")->job, 4294967293U);
}

TEST(FindJob, RefusesWhatNamesNoJob) {
    for (const char* const text : {"", "0", "twelve", "12_", "12+x", "12 ", "-1", "4294967294",
                                   "4294967295", "4294967296"}) {
        const auto number = parse_job_number(text);
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().kind, ErrorKind::wrong_use) << text;
        EXPECT_EQ(number.error().message,
                  "\"" + std::string(text) +
                      "\" is no job id; give 12, 12_3 (a task of an array) or 12+1 (a component)");
    }
}

std::string row_of(std::initializer_list<std::string_view> fields) {
    return fmt::format("{}\n", fmt::join(fields, std::string_view(&accounting_separator, 1)));
}

TEST(FindJob, ReadsWhatAccountingHas) {
    const auto job = read_accounting(
        row_of({"12", "10_2", "FAILED", "ann", "1000", "hora=5f,act,none", "train", "/home/ann"}) +
        row_of({"13"}));
    ASSERT_TRUE(job);
    EXPECT_EQ(job->job, 12U);
    EXPECT_EQ(job->squeue_id, "10_2");
    EXPECT_EQ(job->state, "FAILED");
    EXPECT_EQ(job->user, "ann");
    EXPECT_EQ(job->uid, 1000U);
    EXPECT_EQ(job->admin_comment, "hora=5f,act,none");
    EXPECT_EQ(job->name, "train");
    EXPECT_EQ(job->work_directory, "/home/ann");
    EXPECT_FALSE(read_accounting(""));
    EXPECT_FALSE(read_accounting("Slurm accounting storage is disabled\n"));
}

TEST(FindJob, BelievesNoJobNameThatHoldsFieldsOfItsOwn) {
    const auto job = read_accounting(row_of(
        {"12", "12", "FAILED", "ann", "1000", "", "x", "PENDING", "root", "0", "/", "/home/ann"}));
    ASSERT_TRUE(job);
    EXPECT_EQ(job->state, "FAILED");
    EXPECT_EQ(job->user, "ann");
    EXPECT_EQ(job->uid, 1000U);
}

}  // namespace
}  // namespace hora::slurm
