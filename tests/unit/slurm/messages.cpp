// Is each answer of slurmctld owned, and each failure said with what was asked for?
#include "plugins/slurm/messages.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>

#include <cerrno>
#include <string>
#include <utility>

#include "tests/unit/slurm/answers.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"

namespace hora::slurm {
namespace {

template <class Load>
void expect_failures(const char* what, Load load) {
    SCOPED_TRACE(what);
    tests::Answers& said = tests::restart_answers();
    const auto whole = load();
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_NE(*whole, nullptr);
    said.error = SLURM_NO_CHANGE_IN_DATA;
    const auto unchanged = load();
    ASSERT_TRUE(unchanged) << unchanged.error().message;
    EXPECT_EQ(*unchanged, nullptr);
    said.error = ESLURM_ACCESS_DENIED;
    const auto refused = load();
    EXPECT_EQ(errno, ESLURM_ACCESS_DENIED) << "the caller looks at it";
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with("cannot load " + std::string(what) +
                                                    " from slurmctld: "))
        << refused.error().message;
    said.error = 0;
    said.is_empty = true;
    errno = SLURM_NO_CHANGE_IN_DATA;  // of an earlier call
    EXPECT_FALSE(load()) << "success without a message";
}

TEST(Messages, AreOwnedOrNullOrAnErrorThatSaysWhatWasAskedFor) {
    expect_failures("the configuration", [] { return load_configuration(); });
    expect_failures("the nodes", [] { return load_nodes(); });
    expect_failures("the partitions", [] { return load_partitions(); });
    expect_failures("the reservations", [] { return load_reservations(); });
    expect_failures("QOS and associations", [] { return load_limits(); });
}

TEST(Messages, OfOneJobAreItsRecords) {
    tests::Answers& said = tests::restart_answers();
    for (const std::uint32_t number : {12U, 13U}) {
        job_id(said.jobs.emplace_back(plain_record())) = number;
    }
    const auto jobs = load_job_records(12);
    ASSERT_TRUE(jobs && *jobs);
    ASSERT_NE(find_record(*jobs, 13), nullptr);
    EXPECT_EQ(job_id(*find_record(*jobs, 13)), 13U);
    EXPECT_EQ(find_record(*jobs, 14), nullptr);
    EXPECT_EQ(find_record(JobRecords(), 12), nullptr);
    said.load_error = ESLURM_INVALID_JOB_ID;
    const auto none = load_job_records(12);
    ASSERT_TRUE(none);
    EXPECT_EQ(*none, nullptr);
    said.load_error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    const auto refused = load_job_records(12);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with("cannot load job 12 from slurmctld: "));
}

TEST(AllocatedCpus, AreWhatThePrintedNodeSays) {
    const std::pair<const char*, std::uint32_t> cases[] = {
        {nullptr, 0},
        {"", 0},
        {"NodeName=n1 CPUAlloc=12 CPUEfctv=16", 12},
        {"NodeName=n1 CPUAlloc=4294967295", 4294967295U},
        {"NodeName=n1 CPUAlloc=4294967296", 0},
        {"NodeName=n1 CPUAlloc=-1", 0},
        {"NodeName=n1 CPUAlloc=", 0},
        {"NodeName=n1 CPUAlloc=3x Comment=CPUAlloc=7", 3},
    };
    node_info_t node{};
    for (const auto& [printed, cpus] : cases) {
        tests::restart_answers().printed_node = printed;
        EXPECT_EQ(allocated_cpus(node), cpus) << (printed == nullptr ? "nothing" : printed);
    }
}

}  // namespace
}  // namespace hora::slurm
