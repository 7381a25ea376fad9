#include "libplanner/request/contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace hora::request {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Submission script() {
    Submission submission;
    submission.is_batch = true;
    submission.time_limit = Seconds(3600);
    return submission;
}

domain::JobOptions requeueing() {
    domain::JobOptions options;
    options.requeues = true;
    return options;
}

domain::JobOptions elastic() {
    domain::JobOptions options;
    options.model = "resnet50";
    options.batch = 256;
    options.samples = 1000;
    options.epochs = 90;
    options.is_elastic = true;
    return options;
}

TEST(Contract, IsNotForWhoAsksForNothing) {
    const Contract contract = contract_of(script(), {}, {});
    EXPECT_FALSE(contract.is_kept());
    EXPECT_EQ(contract.remark, "");
}

TEST(Contract, OfARequeueingJobAppendsWarnsAndAllows) {
    const Contract contract = contract_of(script(), requeueing(), {});
    EXPECT_TRUE(contract.requeues);
    EXPECT_TRUE(contract.appends);
    ASSERT_TRUE(contract.warning);
    EXPECT_EQ(contract.warning->signal, SIGUSR1);
    EXPECT_EQ(contract.warning->seconds, 120);
    EXPECT_THAT(contract.set, ElementsAre(Pair("SLURM_SPANK_HORA_RESTARTS", "100:2592000")));
    EXPECT_THAT(contract.unset, IsEmpty());
}

TEST(Contract, WarnsByTheSignalThatTheProgramTakes) {
    domain::JobOptions options = requeueing();
    options.signal = domain::CheckpointSignal::usr2;
    EXPECT_EQ(contract_of(script(), options, {}).warning->signal, SIGUSR2);
    options.signal = domain::CheckpointSignal::term;
    EXPECT_EQ(contract_of(script(), options, {}).warning->signal, SIGUSR1)
        << "Slurm ends steps by SIGTERM: the program in the step hands it on";
}

TEST(Contract, OfAnElasticJobForgetsTheFirstSize) {
    const Contract contract = contract_of(script(), elastic(), {});
    EXPECT_TRUE(contract.is_elastic);
    EXPECT_FALSE(contract.requeues);
    EXPECT_FALSE(contract.warning) << "its time limit is its own affair";
    EXPECT_THAT(contract.unset, Contains("SLURM_NTASKS"));
}

TEST(Contract, WarnsAShortJobInItsLastQuarter) {
    Submission submission = script();
    submission.time_limit = Seconds(60);
    EXPECT_EQ(contract_of(submission, requeueing(), {}).warning->seconds, 15);
    submission.time_limit.reset();
    EXPECT_EQ(contract_of(submission, requeueing(), {}).warning->seconds, 120);
}

TEST(Contract, LeavesTheUsersOwnWishes) {
    Submission submission = script();
    submission.has_own_signal = true;
    submission.has_open_mode = true;
    const Contract contract = contract_of(submission, requeueing(), {});
    EXPECT_TRUE(contract.requeues);
    EXPECT_FALSE(contract.warning);
    EXPECT_FALSE(contract.appends);
}

struct Row {
    const char* sentence;
    bool Submission::*flag;
    bool value;
    const char* remark;
};

const Row rows[] = {
    {"a direct srun", &Submission::is_batch, false, "only a job of sbatch"},
    {"a heterogeneous job", &Submission::is_heterogeneous, true, "heterogeneous"},
    {"--no-requeue", &Submission::forbids_requeue, true, "--no-requeue"},
};

TEST(Contract, IsLeftOutWithAReason) {
    for (const Row& row : rows) {
        Submission submission = script();
        submission.*row.flag = row.value;
        domain::JobOptions options = elastic();
        options.requeues = true;
        const Contract contract = contract_of(submission, options, {});
        EXPECT_FALSE(contract.is_kept()) << row.sentence;
        EXPECT_THAT(contract.set, IsEmpty()) << row.sentence;
        EXPECT_THAT(contract.remark, HasSubstr("--hora-elastic is ignored: ")) << row.sentence;
        EXPECT_THAT(contract.remark, HasSubstr("--hora-requeue is ignored: ")) << row.sentence;
        EXPECT_THAT(contract.remark, HasSubstr(row.remark)) << row.sentence;
    }
}

TEST(Contract, TasksOfAnArrayComeBackEachFromItsOwnFolder) {
    Submission submission = script();
    submission.is_array = true;
    domain::JobOptions options = elastic();
    options.requeues = true;
    const Contract contract = contract_of(submission, options, {});
    EXPECT_TRUE(contract.requeues);
    EXPECT_FALSE(contract.is_elastic);
    EXPECT_EQ(contract.remark,
              "--hora-elastic is ignored: the tasks of a job array keep their size");
    EXPECT_TRUE(contract.warning);
    EXPECT_TRUE(contract.appends);

    submission.has_own_folder = true;
    const Contract shared = contract_of(submission, requeueing(), {});
    EXPECT_FALSE(shared.is_kept());
    EXPECT_THAT(shared.remark, HasSubstr("would share one HORA_CHECKPOINT_DIR"));
    submission.is_array = false;
    EXPECT_TRUE(contract_of(submission, requeueing(), {}).requeues) << "a folder of one job's own";
}

TEST(Contract, OnlyAnElasticJobYieldsOrIsSuspended) {
    domain::JobOptions options = elastic();
    options.yields = options.may_be_suspended = true;
    EXPECT_EQ(contract_of(script(), options, {}).remark, "");
    options.is_elastic = false;
    EXPECT_EQ(contract_of(script(), options, {}).remark,
              "--hora-yield is ignored: the job is not elastic (--hora-elastic); --hora-suspend is "
              "ignored: the job is not elastic (--hora-elastic)");
}

TEST(Contract, ElasticNeedsToKnowTheWorkAndRequeueDoesNot) {
    domain::JobOptions options = elastic();
    options.samples.reset();
    options.epochs.reset();
    options.requeues = true;
    const Contract contract = contract_of(script(), options, {});
    EXPECT_FALSE(contract.is_elastic);
    EXPECT_TRUE(contract.requeues);
    EXPECT_EQ(contract.remark,
              "--hora-elastic is ignored: --hora-samples, --hora-epochs are missing");
}

}  // namespace
}  // namespace hora::request
