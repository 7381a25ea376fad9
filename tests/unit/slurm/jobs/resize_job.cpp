// Which requests bring a job to another size, in which order, and what is made of the answers?
#include "plugins/slurm/jobs/resize_job.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/store/lock_key.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/load_job.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

using Texts = std::vector<std::string>;

// What slurmctld has been sent, and what it answers.
struct Controller : hora::tests::JobAnswer {
    Texts updates;                      // in words; of all
    std::map<std::size_t, int> errors;  // by the place of an update; 0 elsewhere
    bool answers_by_list = false;       // as for the tasks of an array
    int requeue_error = 0;
    Texts requeued;
    Texts signalled;
};

Controller controller;
job_array_resp_msg_t array_answer{};
std::uint32_t array_error = 0;

// The fields that are not as slurm_init_job_desc_msg() leaves them.
std::string words_of(job_desc_msg_t& sent) {
    job_desc_msg_t none;
    slurm_init_job_desc_msg(&none);
    std::string words = sent.job_id_str;
    const auto number = [&](const char* name, auto value, auto otherwise) {
        if (value != otherwise) {
            words += fmt::format(" {}={}", name, value);
        }
    };
    const auto text = [&](const char* name, const char* value) {
        if (value != nullptr) {
            words += fmt::format(" {}='{}'", name, value);
        }
    };
    number("nodes", sent.min_nodes, none.min_nodes);
    number("max_nodes", sent.max_nodes, none.max_nodes);
    number("tasks", sent.num_tasks, none.num_tasks);
    number("split", sent.ntasks_per_node, none.ntasks_per_node);
    number("cpus", sent.min_cpus, none.min_cpus);
    number("node_cpus", sent.pn_min_cpus, none.pn_min_cpus);
    number("task_cpus", sent.cpus_per_task, none.cpus_per_task);
    number("priority", sent.priority, none.priority);
    number("nice", sent.nice, none.nice);
    number("begin", sent.begin_time, none.begin_time);
    number("limit", sent.time_limit, none.time_limit);
    number("hold", sent.alloc_sid, none.alloc_sid);
    text("gres", sent.tres_per_node);
    text("features", sent.features);
    text("prefer", sent.prefer);
    text("comment", sent.admin_comment);
    text("reservation", sent.reservation);
    text("key", hora::slurm::lock_key_place(sent));
    return words;
}

}  // namespace

hora::tests::JobAnswer& hora::tests::job_answer() {
    return controller;
}

extern "C" {

int slurm_update_job2(job_desc_msg_t* sent, job_array_resp_msg_t** answer) {
    const std::size_t place = controller.updates.size();
    controller.updates.push_back(words_of(*sent));
    const auto found = controller.errors.find(place);
    const int error = found == controller.errors.end() ? 0 : found->second;
    if (controller.answers_by_list) {
        array_error = static_cast<std::uint32_t>(error);
        array_answer.job_array_count = 1;
        array_answer.error_code = &array_error;
        *answer = &array_answer;
        return SLURM_SUCCESS;
    }
    return hora::tests::answer_with(error);
}

void slurm_free_job_array_resp(job_array_resp_msg_t* /*answer*/) {}

int slurm_requeue2(char* job, uint32_t flags, job_array_resp_msg_t** /*answer*/) {
    controller.requeued.push_back(fmt::format("{} {}", job, flags));
    return hora::tests::answer_with(controller.requeue_error);
}

int slurm_kill_job2(const char* job, uint16_t signal, uint16_t flags, const char* /*sibling*/) {
    controller.signalled.push_back(fmt::format("{} {} {}", job, signal, flags));
    errno = ESRCH;  // of no meaning where it went well
    return SLURM_SUCCESS;
}

}  // extern "C"

namespace hora::slurm {
namespace {

// Of this process's user, with two tasks on each of two nodes.
slurm_job_info_t job_record(std::uint32_t number) {
    slurm_job_info_t record = plain_record();
    job_id(record) = number;
    record.user_id = ::geteuid();
    record.job_state = JOB_PENDING;
    record.num_nodes = 2;
    record.max_nodes = 2;
    record.num_tasks = 4;
    record.num_cpus = 4;
    record.ntasks_per_node = 2;
    record.cpus_per_task = 1;
    record.cores_per_socket = NO_VAL16;
    return record;
}

JobShape shape_of(std::uint32_t nodes, std::uint32_t tasks_per_node) {
    JobShape shape;
    shape.nodes = nodes;
    shape.tasks = nodes * tasks_per_node;
    shape.tasks_per_node = tasks_per_node;
    shape.cpus = shape.tasks;
    shape.cpus_per_task = 1;
    shape.tres_per_node = fmt::format("gres:gpu:{}", tasks_per_node);
    return shape;
}

class ResizeJob : public testing::Test {
  protected:
    void SetUp() override {
        controller = {};
        controller.jobs = {job_record(12)};
    }
};

TEST_F(ResizeJob, WaitsForItsTurn) {
    for (const char* reason : {"Priority", "Resources", "None"}) {
        EXPECT_TRUE(is_in_turn(reason)) << reason;
    }
    for (const char* reason : {"", "Licenses", "priority", "ReqNodeNotAvail", "BeginTime"}) {
        EXPECT_FALSE(is_in_turn(reason)) << reason;
    }
}

TEST_F(ResizeJob, KnowsAnErrorThatPasses) {
    const std::pair<int, Reply> cases[] = {
        {SLURM_SUCCESS, Reply::done},
        {EAGAIN, Reply::unreachable},
        {EINTR, Reply::unreachable},
        {ETIMEDOUT, Reply::unreachable},
        {ECONNREFUSED, Reply::unreachable},
        {999, Reply::refused},
        {1000, Reply::unreachable},  // libslurm's own, of the connection
        {SLURM_COMMUNICATIONS_CONNECTION_ERROR, Reply::unreachable},
        {1999, Reply::unreachable},
        {2000, Reply::refused},  // slurmctld's
        {ESLURM_IN_STANDBY_MODE, Reply::unreachable},
        {ESLURM_TRANSITION_STATE_NO_UPDATE, Reply::unreachable},
        {ESLURM_DISABLED, Reply::unreachable},
        {ESLURM_INVALID_JOB_ID, Reply::refused},
        {ESLURM_ACCESS_DENIED, Reply::refused},
        {EACCES, Reply::refused},
        {-1, Reply::refused},
    };
    for (const auto& [error, reply] : cases) {
        const Answered answered = answer_of(error);
        EXPECT_EQ(answered.reply, reply) << error;
        EXPECT_EQ(answered.why.empty(), error == SLURM_SUCCESS) << error;
    }
}

TEST_F(ResizeJob, ChangesWithoutALookWhatIsNoSize) {
    JobChange change;
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    change.priority = 0;
    change.nice = -5;
    change.begins = 7;
    change.features = "";
    change.admin_comment = "note";
    EXPECT_EQ(change_job("12_3", change).reply, Reply::done);
    JobChange forgetting;
    forgetting.priority = 9;
    forgetting.forgets_priority = true;
    forgetting.nice = 0;
    change_job("12+1", forgetting);
    EXPECT_EQ(controller.updates,
              (Texts{"12",
                     fmt::format("12_3 priority=0 nice={} begin=7 features='' comment='note'",
                                 NICE_OFFSET - 5),
                     fmt::format("12+1 priority={} nice={}", INFINITE, NICE_OFFSET)}));
    EXPECT_TRUE(controller.loaded.empty());
}

struct Resize {
    const char* sentence;
    std::uint32_t nodes;
    std::uint32_t tasks_per_node;
    bool has_rest;  // a comment and a key besides the size
    std::map<std::size_t, int> errors;
    Reply reply;
    Texts updates;
};

TEST_F(ResizeJob, ChangesTheSplitWhereTheJobStaysRunnable) {
    const std::string grown = "12 nodes=2 max_nodes=2 tasks=8 cpus=8 node_cpus=4 gres='gres:gpu:4'";
    const std::string shrunk =
        "12 nodes=2 max_nodes=2 tasks=2 cpus=2 node_cpus=1 gres='gres:gpu:1'";
    const std::string wider = "12 nodes=3 max_nodes=3 tasks=6 cpus=6 node_cpus=2 gres='gres:gpu:2'";
    const Resize cases[] = {
        {"more tasks a node are set before the rest",
         2,
         4,
         false,
         {},
         Reply::done,
         {"12 split=4", grown, "12 cpus=8"}},
        {"fewer after it", 2, 1, false, {}, Reply::done, {shrunk, "12 cpus=2", "12 split=1"}},
        {"as many are not set", 3, 2, false, {}, Reply::done, {wider, "12 cpus=6"}},
        {"what only an operator may change comes last",
         2,
         1,
         true,
         {},
         Reply::done,
         {shrunk + " key='0123'", "12 cpus=2 key='0123'", "12 split=1 comment='note'"}},
        {"nothing follows more tasks that are refused",
         2,
         4,
         true,
         {{0, ESLURM_ACCESS_DENIED}},
         Reply::refused,
         {"12 split=4"}},
        {"more tasks are reverted where the owner may not have the size",
         2,
         4,
         true,
         {{1, ESLURM_ACCESS_DENIED}},
         Reply::refused,
         {"12 split=4", grown + " key='0123'", "12 split=2"}},
        {"but not where slurmctld does not answer",
         2,
         4,
         true,
         {{1, ETIMEDOUT}},
         Reply::unreachable,
         {"12 split=4", grown + " key='0123'"}},
        {"nor where only the CPUs are refused: it has as many tasks already",
         2,
         4,
         false,
         {{2, ESLURM_ACCESS_DENIED}},
         Reply::refused,
         {"12 split=4", grown, "12 cpus=8"}},
        {"fewer tasks are not set where the size is refused",
         2,
         1,
         true,
         {{0, ESLURM_ACCESS_DENIED}},
         Reply::refused,
         {shrunk + " key='0123'"}},
        {"what comes last may fail",
         2,
         1,
         false,
         {{2, ESLURM_DISABLED}},
         Reply::unreachable,
         {shrunk, "12 cpus=2", "12 split=1"}},
    };
    for (const Resize& test : cases) {
        for (const bool by_list : {false, true}) {
            SetUp();
            controller.errors = test.errors;
            controller.answers_by_list = by_list;
            JobChange change;
            change.shape = shape_of(test.nodes, test.tasks_per_node);
            if (test.has_rest) {
                change.admin_comment = "note";
                change.key = "0123";
            }
            const Answered answered = change_job("12", change);
            EXPECT_EQ(answered.reply, test.reply) << test.sentence;
            EXPECT_EQ(answered.why.empty(), test.reply == Reply::done) << test.sentence;
            EXPECT_EQ(controller.updates, test.updates) << test.sentence;
        }
    }
}

TEST_F(ResizeJob, WritesTheCommentFirstWhereItIsToldTo) {
    JobChange change;
    change.shape = shape_of(3, 2);
    change.admin_comment = "note";
    change.nice = 0;
    change.is_comment_first = true;
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    ASSERT_EQ(controller.updates.size(), 4U);
    EXPECT_EQ(controller.updates[0], "12 comment='note'");
    EXPECT_EQ(controller.updates[3], fmt::format("12 nice={}", NICE_OFFSET));
    SetUp();
    controller.errors[0] = ESLURM_DISABLED;
    EXPECT_EQ(change_job("12", change).reply, Reply::unreachable);
    EXPECT_EQ(controller.updates.size(), 1U) << "a size without its comment is none";
}

TEST_F(ResizeJob, SetsTheCpusOfATaskOnlyWhereTheyAreOther) {
    const std::pair<std::uint32_t, bool> cases[] = {{1, false}, {2, true}, {0, false}};
    for (const auto& [cpus, is_set] : cases) {
        for (const std::uint32_t had : {0, 1}) {  // 0: not said, which is 1
            SetUp();
            controller.jobs[0].cpus_per_task = static_cast<std::uint16_t>(had);
            JobChange change;
            change.shape = shape_of(3, 2);
            change.shape->cpus_per_task = cpus;
            EXPECT_EQ(change_job("12", change).reply, Reply::done);
            EXPECT_EQ(controller.updates[0].find("task_cpus=2") != std::string::npos, is_set)
                << cpus;
            EXPECT_EQ(controller.updates[0].find("task_cpus") != std::string::npos, is_set) << cpus;
        }
    }
}

TEST_F(ResizeJob, IsRefusedWhereTheOwnerHasChangedTheRequestMeanwhile) {
    struct Case {
        const char* sentence;
        void (*change)(Job& seen);
        bool is_refused;
    };
    const Case cases[] = {
        {"nothing is other", [](Job&) {}, false},
        {"tasks", [](Job& seen) { seen.shape.tasks = 2; }, true},
        {"tasks a node", [](Job& seen) { seen.shape.tasks_per_node = 1; }, true},
        {"GPUs", [](Job& seen) { seen.shape.tres_per_node = "gres:gpu:1"; }, true},
        {"a constraint", [](Job& seen) { seen.features = "a100"; }, true},
        {"a preference", [](Job& seen) { seen.prefer = "a100"; }, true},
        {"Slurm's guess of nodes and CPUs",
         [](Job& seen) {
             seen.shape.nodes = 1;
             seen.shape.cpus = 77;
         },
         false},
    };
    for (const Case& each : cases) {
        SetUp();
        Job seen = look_at(12).value().value();
        each.change(seen);
        JobChange change;
        change.shape = shape_of(1, 4);
        change.admin_comment = "note";
        change.is_comment_first = true;
        change.seen = seen_request(seen);
        const Answered answered = change_job("12", change);
        EXPECT_EQ(answered.reply == Reply::refused, each.is_refused) << each.sentence;
        EXPECT_EQ(controller.updates.empty(), each.is_refused) << each.sentence;
        EXPECT_EQ(answered.why, each.is_refused ? "its request was changed meanwhile" : "")
            << each.sentence;
    }
}

TEST_F(ResizeJob, ASizeWithoutCpusIsOneRequest) {
    JobChange change;
    change.shape = shape_of(3, 2);
    change.shape->cpus = 0;
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    EXPECT_EQ(controller.updates, Texts{"12 nodes=3 max_nodes=3 tasks=6 gres='gres:gpu:2'"});
    SetUp();
    change.shape = shape_of(0, 0);
    change.shape->cpus = 5;  // of no node
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    EXPECT_NE(controller.updates[0].find("cpus=5 node_cpus=5"), std::string::npos);
}

TEST_F(ResizeJob, ATimeLimitIsItsOwnersAndInMinutes) {
    JobChange change;
    change.time_limit = Seconds(3600);
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    EXPECT_EQ(controller.updates, Texts{"12 limit=60"});
    EXPECT_EQ(controller.loaded, std::vector<std::uint32_t>{12});
}

TEST_F(ResizeJob, FindsATaskOrAComponentByItsName) {
    slurm_job_info_t task = job_record(15);
    task.array_job_id = 12;
    task.array_task_id = 3;
    slurm_job_info_t other = task;
    other.array_task_id = 30;
    other.ntasks_per_node = 1;
    slurm_job_info_t component = job_record(13);
    component.het_job_id = 12;
    component.het_job_offset = 1;
    controller.jobs = {other, task, component};
    JobChange change;
    change.time_limit = Seconds(60);
    for (const char* name : {"12_3", "12+1"}) {
        EXPECT_EQ(change_job(name, change).reply, Reply::done) << name;
        EXPECT_EQ(controller.updates.back(), std::string(name) + " limit=1");
    }
    EXPECT_EQ(controller.loaded, (std::vector<std::uint32_t>{12, 12}));
    const std::size_t sent = controller.updates.size();
    for (const char* name : {"12", "12_4", "12_", "12+2", "15", "", "x"}) {
        EXPECT_EQ(change_job(name, change).reply, Reply::refused) << name;
    }
    controller.load_error = ESLURM_INVALID_JOB_ID;
    EXPECT_EQ(change_job("12_3", change).reply, Reply::refused) << "it is gone";
    controller.load_error = ETIMEDOUT;
    const Answered unknown = change_job("12_3", change);
    EXPECT_EQ(unknown.reply, Reply::unreachable);
    EXPECT_NE(unknown.why.find("cannot load job 12 from slurmctld"), std::string::npos);
    EXPECT_EQ(controller.updates.size(), sent) << "nothing was sent for any of them";
}

TEST_F(ResizeJob, FreesAnImpossibleJobBeforeItGetsItsPriority) {
    JobChange change;
    change.shape = shape_of(3, 2);
    change.priority = 7;
    change.forgets_priority = true;
    change.is_of_impossible = true;
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    ASSERT_EQ(controller.updates.size(), 3U);
    EXPECT_EQ(controller.updates[0].find("priority"), std::string::npos);
    EXPECT_EQ(controller.updates[2], "12 priority=7");
    SetUp();
    change.shape = std::nullopt;
    change.begins = 5;
    EXPECT_EQ(change_job("12", change).reply, Reply::done);
    EXPECT_EQ(controller.updates, (Texts{"12 begin=5", "12 priority=7"}));
    SetUp();
    controller.errors[0] = ESLURM_ACCESS_DENIED;
    EXPECT_EQ(change_job("12", change).reply, Reply::refused);
    EXPECT_EQ(controller.updates.size(), 1U) << "it is not free";
}

TEST_F(ResizeJob, IsSentByTheUserOfThisProcessAlone) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may take any user's rights";
    }
    controller.jobs[0].user_id = ::geteuid() + 1;
    JobChange change;
    change.shape = shape_of(3, 2);
    const Answered answered = change_job("12", change);
    EXPECT_EQ(answered.reply, Reply::refused);
    EXPECT_NE(answered.why.find("cannot change a job as its owner"), std::string::npos);
    EXPECT_TRUE(controller.updates.empty());
}

TEST_F(ResizeJob, LooksAtExactlyThisJob) {
    controller.jobs.insert(controller.jobs.begin(), job_record(11));
    auto job = look_at(12);
    ASSERT_TRUE(job && *job);
    EXPECT_EQ((*job)->id, 12U);
    EXPECT_EQ((*job)->updated, 1000);
    job = look_at(13);
    EXPECT_TRUE(job && !*job);
    controller.load_error = ESLURM_INVALID_JOB_ID;
    job = look_at(12);
    EXPECT_TRUE(job && !*job) << "slurmctld knows none";
    controller.load_error = ETIMEDOUT;
    EXPECT_FALSE(look_at(12)) << "slurmctld does not answer";
}

TEST_F(ResizeJob, HoldsSignalsAndRequeuesByNumber) {
    EXPECT_EQ(hold_job(12, true).reply, Reply::done);
    EXPECT_EQ(hold_job(4294967295U, false).reply, Reply::done);
    EXPECT_EQ(controller.updates,
              (Texts{fmt::format("12 priority=0 hold={}", ALLOC_SID_USER_HOLD),
                     fmt::format("4294967295 priority=0 hold={}", ALLOC_SID_ADMIN_HOLD)}));
    EXPECT_EQ(signal_steps(12, 10).reply, Reply::done);
    EXPECT_EQ(controller.signalled, Texts{"12 10 0"}) << "steps only, not the script";
    EXPECT_EQ(requeue_running("12_3").reply, Reply::done);
    EXPECT_EQ(requeue_failed("12").reply, Reply::done);
    EXPECT_EQ(controller.requeued, (Texts{fmt::format("12_3 {}", JOB_RUNNING), "12 0"}));
    controller.requeue_error = ESLURM_DISABLED;
    EXPECT_EQ(requeue_running("12").reply, Reply::unreachable);
}

}  // namespace
}  // namespace hora::slurm
