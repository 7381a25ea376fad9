// Does every job pass where Hora is not ready, whatever its configuration is called?
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "plugins/job_submit/guard.hpp"
#include "plugins/slurm/compat.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/scratch_folder.hpp"

extern "C" {

extern const char plugin_type[];
extern const std::uint32_t plugin_version;
int init();
int fini();
int job_submit(job_desc_msg_t* job, std::uint32_t submit_uid, char** message);

void slurm_init_job_desc_msg(job_desc_msg_t* message) {
    hora::submit::Job plain;
    *message = *plain;
}

}  // extern "C"

namespace hora::submit {
namespace {

constexpr std::uint32_t anybody = 1000;

// A job with options of Hora's; without a plan it gets the fewest GPUs.
bool passes() {
    Job job;
    job->script = daemon_string("#!/bin/sh\n");
    job.spank({bench::option_prefix + "model=resnet50", bench::option_prefix + "batch=64"});
    char* message = nullptr;
    const int result = job_submit(&*job, anybody, &message);
    taken(message);
    taken(job->tres_per_node);
    return result == SLURM_SUCCESS;
}

class JobSubmitEntry : public testing::Test {
  protected:
    JobSubmitEntry() { take_log(); }
    ~JobSubmitEntry() override {
        fini();
        unsetenv("HORA_CONF");
        take_log();
    }
};

TEST_F(JobSubmitEntry, IsWhatThisSlurmLooksFor) {
    EXPECT_EQ(std::string_view(plugin_type), "job_submit/hora");
    EXPECT_EQ(plugin_version, static_cast<std::uint32_t>(SLURM_VERSION_NUMBER));
}

TEST_F(JobSubmitEntry, JobsPassBeforeItBeginsAndAfterItEnds) {
    EXPECT_TRUE(passes());
    setenv("HORA_CONF", "/none", 1);
    EXPECT_EQ(init(), SLURM_SUCCESS);
    EXPECT_EQ(init(), SLURM_SUCCESS) << "as slurmctld may at a reconfiguration";
    EXPECT_TRUE(passes());
    EXPECT_EQ(fini(), SLURM_SUCCESS);
    EXPECT_EQ(fini(), SLURM_SUCCESS);
    EXPECT_TRUE(passes());
}

TEST_F(JobSubmitEntry, JobsPassWhateverHoraConfNames) {
    const tests::ScratchFolder folder;
    folder.write("wrong.toml", "mode = \"sometimes\"\n");
    for (const std::string& name :
         {std::string(), std::string("relative"), folder.path(), folder.file("wrong.toml"),
          std::string("/dev/full"), std::string("\x1b[2J"), "/" + std::string(10'000, 'n')}) {
        setenv("HORA_CONF", name.c_str(), 1);
        EXPECT_EQ(init(), SLURM_SUCCESS) << name.substr(0, 40);
        EXPECT_TRUE(passes()) << name.substr(0, 40);
        fini();
        for (const std::string& line : take_log()) {
            EXPECT_EQ(line.find('\x1b'), line.npos) << line;
        }
    }
}

TEST_F(JobSubmitEntry, NoExceptionLeavesIt) {
    EXPECT_EQ(guard("here", 7, [] { return 3; }), 3);
    EXPECT_TRUE(take_log().empty());
    EXPECT_EQ(guard("here", 7, []() -> int { throw std::runtime_error("why"); }), 7);
    EXPECT_EQ(guard("here", 7, []() -> int { throw 3; }), 7);
    const auto log = take_log();
    ASSERT_EQ(log.size(), 2U);
    EXPECT_NE(log[0].find("here: why; the job passes unchanged"), std::string::npos);
    EXPECT_NE(log[1].find("unknown exception"), std::string::npos);
}

}  // namespace
}  // namespace hora::submit
