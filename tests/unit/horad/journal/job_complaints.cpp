// Is each thing that goes wrong with a job said once?
#include "scripts/horad/journal/job_complaints.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::horad {
namespace {

TEST(JobComplaints, are_said_when_they_change_and_not_again) {
    std::vector<std::string> said;
    JobComplaints complaints([&](const std::string& line) { said.push_back(line); });
    complaints.complain(7, "no");
    complaints.complain(7, "no");
    complaints.complain(8, "no");
    complaints.complain(7, "never");
    complaints.complain(7, "no");
    complaints.complain(0, "the disk is full");
    complaints.complain(0, "the disk is full");
    EXPECT_EQ(said, (std::vector<std::string>{"job 7: no", "job 8: no", "job 7: never", "job 7: no",
                                              "the disk is full"}));
    said.clear();
    complaints.forget(7);
    complaints.complain(7, "no");
    complaints.complain(8, "no");
    EXPECT_EQ(said, std::vector<std::string>{"job 7: no"});
}

TEST(JobComplaints, of_jobs_that_are_gone_are_forgotten) {
    std::vector<std::string> said;
    JobComplaints complaints([&](const std::string& line) { said.push_back(line); });
    const auto say_all = [&] {
        for (const std::uint32_t job : {0U, 7U, 8U}) {
            complaints.complain(job, "no");
        }
    };
    say_all();
    said.clear();
    Observation seen;
    seen.jobs.resize(1);
    seen.jobs.front().id = 8;
    complaints.forget_gone(seen);
    say_all();
    EXPECT_EQ(said, std::vector<std::string>{"job 7: no"}) << "what is of no job stays";
}

}  // namespace
}  // namespace hora::horad
