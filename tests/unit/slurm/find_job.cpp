// Which texts are a job's number?
#include "plugins/slurm/find_job.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hora::slurm
