// Does `hora relax` find each job that it is given, and say of each what came of it?
#include "scripts/hora/jobs/relax.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/compat.hpp"
#include "tests/unit/enforced_placement.hpp"
#include "tests/unit/hora/call.hpp"
#include "tests/unit/hora/site_folder.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/load_job.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

struct Controller : hora::tests::JobAnswer {
    std::vector<std::string> freed;  // of their sockets
};

Controller controller;
job_info_msg_t list{};

}  // namespace

namespace hora::tests {

JobAnswer& job_answer() {
    return controller;
}

}  // namespace hora::tests

extern "C" {

void slurm_init(const char* /*configuration*/) {}

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** /*answer*/) {
    return hora::tests::answer_with(SLURM_COMMUNICATIONS_CONNECTION_ERROR);
}

int slurm_load_jobs(time_t /*since*/, job_info_msg_t** answer, uint16_t /*flags*/) {
    list.record_count = static_cast<std::uint32_t>(controller.jobs.size());
    list.job_array = controller.jobs.data();
    *answer = &list;
    return SLURM_SUCCESS;
}

int slurm_update_job2(job_desc_msg_t* sent, job_array_resp_msg_t** /*answer*/) {
    if (sent->tres_per_socket != nullptr) {
        controller.freed.emplace_back(sent->job_id_str);
    }
    return SLURM_SUCCESS;
}

}  // extern "C"

namespace hora::scripts {
namespace {

class RelaxTest : public tests::SiteFolder {
  protected:
    RelaxTest() {
        controller = {};
        controller.load_error = ESLURM_INVALID_JOB_ID;
        // Accounting knows no job.
        folder_.write("sacct", "#!/bin/sh\n");
        std::filesystem::permissions(folder_.file("sacct"), std::filesystem::perms::owner_all);
        path_ = ::getenv("PATH");
        ::setenv("PATH", (folder_.path() + ":" + path_).c_str(), 1);
        comment_ = report::to_token(tests::enforced_placement());
    }
    ~RelaxTest() override { ::setenv("PATH", path_.c_str(), 1); }

    slurm_job_info_t& add(std::uint32_t id) {
        slurm_job_info_t& job = controller.jobs.emplace_back(slurm::plain_record());
        controller.load_error = 0;
        job.job_id = id;
        job.job_state = JOB_PENDING;
        job.admin_comment = comment_.data();
        job.tres_per_socket = gpus_.data();
        return job;
    }

    static tests::Answer relax(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "relax");
        return tests::call(&add_relax_command, std::move(arguments));
    }

  private:
    std::string path_;
    std::string comment_;
    std::string gpus_ = "gres:gpu:2";
};

TEST_F(RelaxTest, SaysWhatWasDoneAlsoWhereAnotherJobIsNotFound) {
    add(12);
    controller.at_look = [] { controller.load_error = ESLURM_INVALID_JOB_ID; };
    const tests::Answer answer = relax({"12", "99"});
    EXPECT_EQ(controller.freed, std::vector<std::string>{"12"});
    EXPECT_NE(answer.data.find("job 12  locality constraint dropped"), std::string::npos);
    EXPECT_NE(answer.remarks.find("no job 99 in Slurm's memory"), std::string::npos);
    EXPECT_EQ(answer.exit, Exit::failed);
}

TEST_F(RelaxTest, JsonHasEachJobOnce) {
    add(12);
    controller.at_look = [] { controller.load_error = ESLURM_INVALID_JOB_ID; };
    const tests::Answer answer = relax({"99", "12", "--json"});
    EXPECT_LT(answer.data.find("\"job\": \"99\",\n      \"result\": \"refused\""),
              answer.data.find("\"job\": \"12\",\n      \"result\": \"relaxed\""));
    EXPECT_EQ(answer.exit, Exit::failed);
}

TEST_F(RelaxTest, FindsAJobByItsNumberHoweverThatIsWritten) {
    add(12);
    EXPECT_EQ(relax({"0012"}).exit, Exit::done);
    EXPECT_EQ(controller.freed, std::vector<std::string>{"12"});
}

TEST_F(RelaxTest, FindsTasksAndComponents) {
    const auto add_task = [&](std::uint32_t id, std::uint32_t task) {
        slurm_job_info_t& job = add(id);
        job.array_job_id = 12;
        job.array_task_id = task;
    };
    const auto add_component = [&](std::uint32_t id, std::uint32_t offset) {
        slurm_job_info_t& job = add(id);
        job.het_job_id = 20;
        job.het_job_offset = offset;
    };
    add_task(13, 1);
    add_task(14, 11);
    add(120);
    add_component(20, 0);
    add_component(21, 1);
    std::string waiting = "2-7%3";
    slurm_job_info_t& array = add(12);
    array.array_job_id = 12;
    array.array_task_str = waiting.data();
    struct Case {
        const char* sentence;
        const char* job;
        std::vector<std::string> freed;
    };
    const Case cases[] = {
        {"a task", "12_1", {"12_1"}},
        {"one that begins alike", "12_11", {"12_11"}},
        {"all of an array", "12", {"12", "12_1", "12_11"}},
        {"a component", "20+1", {"20+1"}},
        {"all of a heterogeneous job", "20", {"20+0", "20+1"}},
        {"a task that is still a part of its array's record", "12_5", {"12_5"}},
    };
    for (const Case& row : cases) {
        controller.freed.clear();
        const tests::Answer answer = relax({row.job});
        EXPECT_EQ(answer.exit, Exit::done) << row.sentence << ": " << answer.remarks;
        EXPECT_EQ(controller.freed, row.freed) << row.sentence << ": " << answer.data;
    }
}

TEST_F(RelaxTest, LeavesAJobThatRunsAlone) {
    add(12).job_state = JOB_RUNNING;
    const tests::Answer answer = relax({"12"});
    EXPECT_EQ(answer.data, "job 12  is no longer pending: nothing to drop\n");
    EXPECT_EQ(answer.exit, Exit::done);
    EXPECT_TRUE(controller.freed.empty());
}

}  // namespace
}  // namespace hora::scripts
