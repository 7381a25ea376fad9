// What is made of slurmctld's answers to a change of a job that waits?
#include "plugins/slurm/jobs/pending_job.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

struct Controller {
    int error = 0;                           // of the call
    std::optional<std::vector<int>> by_job;  // as for the tasks of an array
    std::string changed;                     // the job of the last call
    std::optional<std::string> comment;
    std::optional<std::string> by_socket;
    std::uint16_t sockets = 0xffff;
    std::uint16_t cores = 0xffff;
    std::vector<slurm_job_info_t> jobs;
    bool has_list = true;  // false: it answers, but with no list
};

Controller controller;
std::vector<std::uint32_t> codes;
job_array_resp_msg_t answer_by_job{};
job_info_msg_t job_message{};

std::optional<std::string> text(const char* value) {
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

extern "C" {

int slurm_update_job2(job_desc_msg_t* sent, job_array_resp_msg_t** answer) {
    controller.changed = sent->job_id_str;
    controller.comment = text(sent->admin_comment);
    controller.by_socket = text(sent->tres_per_socket);
    controller.sockets = sent->sockets_per_node;
    controller.cores = sent->cores_per_socket;
    if (controller.by_job) {
        codes.assign(controller.by_job->begin(), controller.by_job->end());
        answer_by_job.job_array_count = static_cast<std::uint32_t>(codes.size());
        answer_by_job.error_code = codes.data();
        *answer = &answer_by_job;
    }
    return hora::tests::answer_with(controller.error);
}

void slurm_free_job_array_resp(job_array_resp_msg_t* /*answer*/) {}

int slurm_load_jobs(time_t /*since*/, job_info_msg_t** answer, uint16_t /*flags*/) {
    job_message.record_count = static_cast<std::uint32_t>(controller.jobs.size());
    job_message.job_array = controller.jobs.data();
    *answer = controller.has_list ? &job_message : nullptr;
    return hora::tests::answer_with(controller.error);
}

}  // extern "C"

namespace hora::slurm {
namespace {

class PendingJob : public testing::Test {
  protected:
    void SetUp() override { controller = {}; }
};

struct Case {
    const char* sentence;
    int error;
    std::optional<std::vector<int>> by_job;
    std::optional<Freed> freed;     // empty: refused
    std::optional<bool> commented;  // likewise
};

const Case cases[] = {
    {"it is done", 0, {}, Freed::done, true},
    {"an answer for no job", 0, std::vector<int>{}, Freed::done, true},
    {"of all tasks", 0, std::vector<int>{0, 0}, Freed::done, true},
    {"it runs", ESLURM_JOB_NOT_PENDING, {}, Freed::has_started, true},
    {"it is gone", ESLURM_INVALID_JOB_ID, {}, Freed::has_started, true},
    {"it has ended", ESLURM_ALREADY_DONE, {}, Freed::has_started, true},
    {"all tasks run", 0, std::vector<int>{ESLURM_JOB_NOT_PENDING, ESLURM_JOB_FINISHED},
     Freed::has_started, true},
    {"one task runs", 0, std::vector<int>{ESLURM_JOB_NOT_PENDING, 0}, Freed::done, true},
    {"one task is refused", 0, std::vector<int>{0, ESLURM_ACCESS_DENIED}, Freed::done, true},
    {"the caller may not", ESLURM_ACCESS_DENIED, {}, {}, false},
    {"nor as this user", ESLURM_USER_ID_MISSING, {}, {}, false},
    {"nor for the tasks", 0, std::vector<int>{ESLURM_ACCESS_DENIED}, {}, false},
    {"nor for those that wait",
     0,
     std::vector<int>{ESLURM_JOB_NOT_PENDING, ESLURM_ACCESS_DENIED},
     {},
     false},
    {"those that wait are refused",
     SLURM_ERROR,
     std::vector<int>{ESLURM_ALREADY_DONE, ESLURM_INVALID_TRES},
     {},
     {}},
    {"a request that cannot be", ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE, {}, {}, {}},
    {"slurmctld is away", SLURM_COMMUNICATIONS_CONNECTION_ERROR, {}, {}, {}},
};

TEST_F(PendingJob, IsFreedOfItsSocketsOrHasStarted) {
    Job job;
    job.target = "12_3";
    for (const Case& row : cases) {
        SetUp();
        controller.error = row.error;
        controller.by_job = row.by_job;
        const auto freed = free_of_sockets(job);
        EXPECT_EQ(freed.has_value(), row.freed.has_value()) << row.sentence;
        if (freed && row.freed) {
            EXPECT_EQ(*freed, *row.freed) << row.sentence;
        } else if (!freed) {
            EXPECT_TRUE(freed.error().message.starts_with("slurmctld does not change job 12_3: "))
                << row.sentence << ": " << freed.error().message;
        }
        EXPECT_EQ(controller.changed, "12_3") << row.sentence;
        EXPECT_EQ(controller.by_socket, "") << "which clears it";
        EXPECT_EQ(controller.sockets, 0);
        EXPECT_EQ(controller.cores, 0);
        EXPECT_FALSE(controller.comment);
    }
}

TEST_F(PendingJob, HasItsCommentSetWhereTheCallerMay) {
    for (const Case& row : cases) {
        SetUp();
        controller.error = row.error;
        controller.by_job = row.by_job;
        const auto is_set = set_admin_comment("12", "a note");
        EXPECT_EQ(is_set.has_value(), row.commented.has_value()) << row.sentence;
        if (is_set && row.commented) {
            EXPECT_EQ(*is_set, *row.commented) << row.sentence;
        }
        EXPECT_EQ(controller.changed, "12") << row.sentence;
        EXPECT_EQ(controller.comment, "a note") << row.sentence;
        EXPECT_FALSE(controller.by_socket) << "the request stays";
    }
}

TEST_F(PendingJob, SaysInTheCallersWordsWhyItIsUnchanged) {
    EXPECT_EQ(why_unchanged(ESLURM_ACCESS_DENIED), "only its owner or an operator may");
    EXPECT_EQ(why_unchanged(ESLURM_USER_ID_MISSING), "only its owner or an operator may");
    EXPECT_EQ(why_unchanged(ESLURM_INVALID_TRES), slurm_strerror(ESLURM_INVALID_TRES));
}

TEST_F(PendingJob, IsOneOfThoseThatWait) {
    for (const auto& [number, state] : {std::pair(9U, +JOB_PENDING),
                                        {7, JOB_RUNNING},
                                        {8, JOB_COMPLETE},
                                        {5, JOB_SUSPENDED},
                                        {6, static_cast<int>(JOB_PENDING | JOB_COMPLETING)}}) {
        slurm_job_info_t record = plain_record();
        job_id(record) = number;
        record.job_state = static_cast<std::uint32_t>(state);
        controller.jobs.push_back(record);
    }
    const auto pending = load_pending_jobs();
    ASSERT_TRUE(pending);
    ASSERT_EQ(pending->size(), 2U);
    EXPECT_EQ((*pending)[0].id, 6U);
    EXPECT_EQ((*pending)[1].id, 9U);
    controller.error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_FALSE(load_pending_jobs());
    controller = {};
    EXPECT_TRUE(load_pending_jobs()->empty());
    controller.has_list = false;
    EXPECT_FALSE(load_pending_jobs());
    controller.error = SLURM_NO_CHANGE_IN_DATA;
    EXPECT_TRUE(load_pending_jobs()->empty());
}

}  // namespace
}  // namespace hora::slurm
