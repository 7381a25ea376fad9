// Does horad keep to its time, and to its pauses, as it frees jobs of their locality constraint?
#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/compat.hpp"
#include "scripts/horad/pending/relaxer.hpp"
#include "tests/unit/enforced_placement.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

struct Controller {
    std::vector<slurm_job_info_t> jobs;
    int error = 0;
    std::chrono::milliseconds takes{1};  // for an update
    std::chrono::milliseconds clock{0};
    std::vector<std::string> freed;  // or refused
};

Controller controller;
job_info_msg_t list{};

}  // namespace

extern "C" {

int slurm_load_jobs(time_t /*since*/, job_info_msg_t** answer, uint16_t /*flags*/) {
    list.record_count = static_cast<std::uint32_t>(controller.jobs.size());
    list.job_array = controller.jobs.data();
    *answer = &list;
    return SLURM_SUCCESS;
}
void slurm_free_job_info_msg(job_info_msg_t* /*message*/) {}

int slurm_update_job2(job_desc_msg_t* sent, job_array_resp_msg_t** /*answer*/) {
    if (sent->tres_per_socket != nullptr) {
        controller.freed.emplace_back(sent->job_id_str);
    }
    controller.clock += controller.takes;
    return hora::tests::answer_with(controller.error);
}

}  // extern "C"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 1'795'279'238;

class RelaxerRounds : public testing::Test {
  protected:
    RelaxerRounds() {
        controller = {};
        auto memory = std::make_shared<JobMemory>();
        memory->decision = tests::enforced_placement();
        comment_ = report::to_token(memory->decision);
        for (std::uint32_t id = 1; id <= 4; ++id) {
            slurm_job_info_t record = slurm::plain_record();
            record.job_id = id;
            record.job_state = JOB_PENDING;
            record.priority = 1;
            record.eligible_time = record.submit_time = now - 900;
            record.admin_comment = comment_.data();
            record.tres_per_socket = gpus_.data();
            controller.jobs.push_back(record);
            ObservedJob job;
            job.id = id;
            job.state = slurm::JobState::pending;
            job.priority = 1;
            job.eligible = job.submitted = now - 900;
            job.shape.tres_per_socket = gpus_;
            job.memory = memory;
            seen_.jobs.push_back(job);
        }
        seen_.now = now;
    }

    // What was asked for in a round after so many seconds.
    std::vector<std::string> round(int seconds) {
        controller.clock += std::chrono::seconds(seconds);
        controller.freed.clear();
        relaxer_.step(seen_, log_);
        return controller.freed;
    }

    const tests::ScratchFolder folder_;
    Log log_;
    Plans plans_{slurm::PlanSpool(folder_.path()), [] { return nullptr; }, log_};
    Relaxer relaxer_{plans_, [] { return Relaxer::Clock::time_point(controller.clock); }};
    Observation seen_;
    std::string comment_;
    std::string gpus_ = "gres:gpu:2";
};

using Jobs = std::vector<std::string>;

TEST_F(RelaxerRounds, FreeAllWhereSlurmctldIsFast) {
    EXPECT_EQ(round(20), (Jobs{"1", "2", "3", "4"}));
    EXPECT_EQ(relaxer_.relaxed(), 4U);
}

TEST_F(RelaxerRounds, GoOnInTheNextOneWhereSlurmctldIsSlow) {
    controller.error = ESLURM_INVALID_TRES;
    controller.takes = std::chrono::milliseconds(60);
    EXPECT_EQ(round(20), (Jobs{"1", "2"}));
    EXPECT_EQ(round(1), Jobs()) << "the daemon has other things to do";
    EXPECT_EQ(round(1), (Jobs{"3", "4"}));
}

TEST_F(RelaxerRounds, LetARefusedJobRestForAMinute) {
    controller.error = ESLURM_INVALID_TRES;
    EXPECT_EQ(round(20).size(), 4U);
    EXPECT_EQ(log_.troubles().count("relax"), 1U);
    EXPECT_EQ(round(20), Jobs());
    controller.error = 0;
    EXPECT_EQ(round(30), Jobs());
    EXPECT_EQ(log_.troubles().count("relax"), 1U);
    EXPECT_EQ(round(11).size(), 4U);
    EXPECT_EQ(log_.troubles().count("relax"), 0U);
}

}  // namespace
}  // namespace hora::horad
