// Is a job what slurmctld says of it?
#include "plugins/slurm/jobs/job.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <list>
#include <string>
#include <utility>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"

namespace hora::slurm {
namespace {

// libslurm's texts are not const.
class Record {
  public:
    char* text(const char* value) { return texts_.emplace_back(value).data(); }

    slurm_job_info_t of = plain_record();

  private:
    std::list<std::string> texts_;
};

TEST(Job, is_in_one_of_four_states) {
    const std::pair<std::uint32_t, JobState> states[] = {
        {JOB_PENDING, JobState::pending},
        {JOB_RUNNING, JobState::running},
        {JOB_SUSPENDED, JobState::suspended},
        {JOB_COMPLETE, JobState::ended},
        {JOB_CANCELLED, JobState::ended},
        {JOB_FAILED, JobState::ended},
        {JOB_TIMEOUT, JobState::ended},
        {JOB_NODE_FAIL, JobState::ended},
        {JOB_PREEMPTED, JobState::ended},
        {JOB_PENDING | JOB_COMPLETING, JobState::pending},
        {JOB_PENDING | JOB_REVOKED, JobState::ended},
        {JOB_RUNNING | JOB_CONFIGURING, JobState::running},
    };
    for (const auto& [state, wanted] : states) {
        Record record;
        record.of.job_state = state;
        const Job job = job_of(record.of);
        EXPECT_EQ(job.state, wanted) << state;
        EXPECT_EQ(job.is_completing, (state & JOB_COMPLETING) != 0) << state;
        EXPECT_EQ(job.is_configuring, (state & JOB_CONFIGURING) != 0) << state;
        EXPECT_EQ(job.was_cancelled, state == JOB_CANCELLED) << state;
    }
}

TEST(Job, asks_for_no_reservation_where_horad_has_put_it_into_its_own) {
    const std::pair<const char*, bool> reservations[] = {
        {nullptr, false}, {"", false}, {"course", false}, {"hora-restarts", true}};
    for (const auto& [name, is_kept] : reservations) {
        Record record;
        record.of.resv_name = name != nullptr ? record.text(name) : nullptr;
        const Job job = whole_job_of(record.of);
        EXPECT_EQ(job.is_in_restart_reservation, is_kept);
        EXPECT_EQ(job.reservation, name == nullptr || is_kept ? "" : name);
        EXPECT_EQ(job.rest_of_request == whole_job_of(Record().of).rest_of_request,
                  job.reservation.empty());
    }
}

TEST(Job, has_failed_where_a_signal_ended_its_script) {
    Record record;
    record.of.job_state = JOB_FAILED;
    EXPECT_FALSE(job_of(record.of).has_failed);
    record.of.exit_code = 1 << 8;
    EXPECT_FALSE(job_of(record.of).has_failed) << "it ended by itself";
    record.of.exit_code = 9;
    EXPECT_TRUE(job_of(record.of).has_failed);
    record.of.job_state = JOB_CANCELLED;
    EXPECT_FALSE(job_of(record.of).has_failed) << "it was cancelled";
}

TEST(Job, has_failed_by_the_signal_that_its_status_names) {
    struct Case {
        const char* name;
        std::uint32_t state;
        std::uint32_t code;  // of wait()
        int signal;
    };
    const Case cases[] = {
        {"its script", JOB_FAILED, SIGUSR1, SIGUSR1},
        {"its program", JOB_FAILED, (128 + SIGUSR1) << 8, SIGUSR1},
        {"none", JOB_FAILED, 1 << 8, 0},
        {"no program was found", JOB_FAILED, 127 << 8, 0},
        {"a status of the program's own", JOB_FAILED, 128 << 8, 0},
        {"no signal has this number", JOB_FAILED, 255 << 8, 0},
        {"it was cancelled", JOB_CANCELLED, SIGTERM, 0},
        {"it is done", JOB_COMPLETE, 0, 0},
    };
    for (const Case& each : cases) {
        Record record;
        record.of.job_state = each.state;
        record.of.exit_code = each.code;
        EXPECT_EQ(job_of(record.of).failed_by, each.signal) << each.name;
    }
}

TEST(Job, is_held_where_it_has_no_priority) {
    struct Case {
        const char* name;
        std::uint32_t priority;
        std::uint32_t reason;
        Hold hold;
        Hold former;
    };
    const Case cases[] = {
        {"it waits", 100, WAIT_RESOURCES, Hold::none, Hold::none},
        {"its owner", 0, WAIT_HELD_USER, Hold::user, Hold::none},
        {"an operator", 0, WAIT_HELD, Hold::administrator, Hold::none},
        {"another reason", 0, WAIT_DEPENDENCY, Hold::administrator, Hold::none},
        {"it can never run", 0, FAIL_BAD_CONSTRAINTS, Hold::impossible, Hold::none},
        {"released from its owner's", 100, WAIT_HELD_USER, Hold::none, Hold::user},
        {"released from an operator's", 100, WAIT_HELD, Hold::none, Hold::administrator},
    };
    for (const Case& each : cases) {
        Record record;
        record.of.priority = each.priority;
        record.of.state_reason = static_cast<decltype(record.of.state_reason)>(each.reason);
        const Job job = job_of(record.of);
        EXPECT_EQ(job.hold, each.hold) << each.name;
        EXPECT_EQ(job.former_hold, each.former) << each.name;
        EXPECT_EQ(job.is_impossible(), each.hold == Hold::impossible) << each.name;
        EXPECT_EQ(job.is_held(), each.hold != Hold::none && each.hold != Hold::impossible)
            << each.name;
    }
}

TEST(Job, waits_for_what_slurm_says) {
    struct Case {
        std::uint32_t reason;
        WaitsFor waits_for;
        WaitsFor held;  // without a priority
    };
    const Case cases[] = {
        {WAIT_NO_REASON, WaitsFor::resources, WaitsFor::other},
        {WAIT_PRIORITY, WaitsFor::resources, WaitsFor::other},
        {WAIT_RESOURCES, WaitsFor::resources, WaitsFor::other},
        {WAIT_NODE_NOT_AVAIL, WaitsFor::nodes, WaitsFor::other},
        {WAIT_TIME, WaitsFor::time, WaitsFor::time},
        {WAIT_DEPENDENCY, WaitsFor::dependency, WaitsFor::dependency},
        {WAIT_DEP_INVALID, WaitsFor::dependency, WaitsFor::dependency},
        {WAIT_ARRAY_TASK_LIMIT, WaitsFor::dependency, WaitsFor::dependency},
        {WAIT_HELD_USER, WaitsFor::other, WaitsFor::other},
        {FAIL_BAD_CONSTRAINTS, WaitsFor::other, WaitsFor::other},
        {WAIT_RESERVATION, WaitsFor::other, WaitsFor::other},
        {WAIT_LICENSES, WaitsFor::limit, WaitsFor::limit},
        {WAIT_QOS_GRP_CPU, WaitsFor::limit, WaitsFor::limit},
        {WAIT_PART_NODE_LIMIT, WaitsFor::limit, WaitsFor::limit},
    };
    for (const Case& each : cases) {
        Record record;
        record.of.state_reason = static_cast<decltype(record.of.state_reason)>(each.reason);
        EXPECT_EQ(job_of(record.of).waits_for, each.waits_for) << each.reason;
        record.of.priority = 0;
        EXPECT_EQ(job_of(record.of).waits_for, each.held) << each.reason;
    }
}

TEST(Job, is_named_so_that_no_other_is_meant) {
    Record record;
    record.of.het_job_id = 0;
    job_id(record.of) = 12;
    EXPECT_EQ(target_of(record.of), "12");
    record.of.array_job_id = 10;
    EXPECT_EQ(target_of(record.of), "12") << "all tasks that wait";
    record.of.array_task_id = 3;
    EXPECT_EQ(target_of(record.of), "10_3");
    record.of.het_job_id = 11;
    record.of.het_job_offset = 1;
    EXPECT_EQ(target_of(record.of), "11+1");
}

TEST(Job, began_as_if_it_had_never_been_suspended) {
    Record record;
    record.of.job_state = JOB_RUNNING;
    record.of.start_time = 1000;
    EXPECT_EQ(job_of(record.of).began, 1000);
    record.of.suspend_time = 900;
    EXPECT_EQ(job_of(record.of).began, 1000) << "that was in an earlier start";
    record.of.suspend_time = 2000;
    EXPECT_EQ(job_of(record.of).began, 2000) << "it was suspended in the second in which it began";
    record.of.pre_sus_time = 50;
    EXPECT_EQ(job_of(record.of).began, 1950) << "it went on at 2000, after 50 seconds";
    record.of.job_state = JOB_PENDING;
    EXPECT_EQ(job_of(record.of).began, 0);
    EXPECT_EQ(job_of(record.of).started, 1000) << "expected";
}

TEST(Job, is_preempted_from_the_word_until_it_is_cleaned_up) {
    const struct {
        const char* sentence;
        std::uint32_t state;
        std::int64_t preempted;
        std::int64_t suspended;  // or resumed
        bool is_preempted;
    } cases[] = {
        {"no word of it", JOB_RUNNING, 0, 0, false},
        {"it has its grace time", JOB_RUNNING, 2000, 0, true},
        {"in the second in which it began", JOB_RUNNING, 1000, 0, true},
        {"an earlier start was", JOB_RUNNING, 999, 0, false},
        {"it was suspended for it and has been resumed", JOB_RUNNING, 1500, 2000, false},
        {"it was suspended once, and is preempted since", JOB_RUNNING, 2000, 1500, true},
        {"requeued, it is cleaned up", JOB_PENDING | JOB_COMPLETING, 2000, 0, true},
        {"requeued by somebody else", JOB_PENDING | JOB_COMPLETING, 0, 0, false},
        {"it waits, and slurmctld has not forgotten", JOB_PENDING, 2000, 0, false},
        {"it is suspended", JOB_SUSPENDED, 2000, 2000, false},
    };
    for (const auto& row : cases) {
        Record record;
        record.of.job_state = row.state;
        record.of.start_time = 1000;
        record.of.preempt_time = row.preempted;
        record.of.suspend_time = row.suspended;
        EXPECT_EQ(job_of(record.of).is_preempted, row.is_preempted) << row.sentence;
    }
}

TEST(Job, has_run_for_the_time_that_slurm_counts) {
    const struct {
        const char* sentence;
        std::uint64_t state;
        std::int64_t suspended;  // or resumed
        std::int64_t before;
        double ran;
    } cases[] = {
        {"it runs", JOB_RUNNING, 0, 0, 1500},
        {"it was suspended after 50 seconds, and resumed at 2000", JOB_RUNNING, 2000, 50, 550},
        {"in the second in which it began", JOB_RUNNING, 2000, 0, 500},
        {"it is suspended", JOB_SUSPENDED, 2000, 1000, 1000},
        {"since it began", JOB_SUSPENDED, 1000, 0, 0},
        {"it is cleaned up", JOB_COMPLETE | JOB_COMPLETING, 0, 0, 0},
        {"it waits, and is expected to start", JOB_PENDING, 0, 0, 0},
    };
    for (const auto& row : cases) {
        Record record;
        record.of.job_state = static_cast<std::uint32_t>(row.state);
        record.of.start_time = 1000;
        record.of.suspend_time = row.suspended;
        record.of.pre_sus_time = row.before;
        EXPECT_EQ(job_of(record.of).ran_by(2500), Seconds(row.ran)) << row.sentence;
    }
}

TEST(Job, has_a_time_limit_where_slurm_says_one) {
    const std::pair<std::uint32_t, std::optional<Seconds>> limits[] = {
        {10, Seconds(600)},
        {0, Seconds(0)},
        {NO_VAL, std::nullopt},
        {INFINITE, std::nullopt},
        {NO_VAL - 1, Seconds((NO_VAL - 1) * 60.0)},
    };
    for (const auto& [minutes, wanted] : limits) {
        Record record;
        record.of.time_limit = minutes;
        EXPECT_EQ(job_of(record.of).time_limit, wanted) << minutes;
    }
    Record record;
    record.of.nice = NICE_OFFSET - 100;
    EXPECT_EQ(job_of(record.of).nice, -100);
}

TEST(Job, asks_for_gpus_in_whichever_way) {
    struct Case {
        const char* name;
        void (*change)(Record& record);
        std::uint32_t gpus;
    };
    const Case cases[] = {
        {"none", [](Record&) {}, 0},
        {"by the job", [](Record& one) { one.of.tres_per_job = one.text("gres:gpu:3"); }, 3},
        {"by the node", [](Record& one) { one.of.tres_per_node = one.text("gres/gpu:k80:3"); }, 6},
        {"by the node, whose number is not known",
         [](Record& one) {
             one.of.tres_per_node = one.text("gres:gpu:3");
             one.of.num_nodes = 0;
         },
         3},
        {"by the task", [](Record& one) { one.of.tres_per_task = one.text("gres:gpu:3"); }, 12},
        {"by the socket",
         [](Record& one) {
             one.of.tres_per_socket = one.text("gres:gpu:3");
             one.of.sockets_per_node = 2;
         },
         12},
        {"by the socket, of one", [](Record& one) { one.of.tres_per_socket = one.text("gpu:3"); },
         6},
        {"by the job before all else",
         [](Record& one) {
             one.of.tres_per_job = one.text("gres:gpu:4");
             one.of.tres_per_node = one.text("gres:gpu:2");
         },
         4},
        {"something else", [](Record& one) { one.of.tres_per_node = one.text("gres:ssd:3"); }, 0},
        {"what cannot be read", [](Record& one) { one.of.tres_per_node = one.text("gpu:::"); }, 0},
        {"more than there can be",
         [](Record& one) { one.of.tres_per_job = one.text("gres:gpu:9007199254740992"); },
         NO_VAL - 1},
        {"more than there can be, on many nodes",
         [](Record& one) {
             one.of.tres_per_node = one.text("gres:gpu:9007199254740992");
             one.of.num_nodes = 4096;
         },
         NO_VAL - 1},
    };
    for (const Case& each : cases) {
        Record record;
        record.of.num_nodes = 2;
        record.of.num_tasks = 4;
        each.change(record);
        EXPECT_EQ(job_of(record.of).asked_gpus, each.gpus) << each.name;
        EXPECT_EQ(job_of(record.of).gpus, each.gpus) << each.name << ", while it waits";
    }
}

TEST(Job, holds_what_slurm_has_given_it) {
    Record record;
    record.of.job_state = JOB_RUNNING;
    record.of.num_nodes = 2;
    record.of.tres_per_node = record.text("gres:gpu:2");
    record.of.nodes = record.text("n[1,3]");
    char* details[] = {record.text("gpu:k80:2(IDX:2,0)"), nullptr, record.text("gpu:k80:1")};
    record.of.gres_detail_str = details;
    record.of.gres_detail_cnt = 2;
    const Job job = whole_job_of(record.of);
    EXPECT_EQ(job.asked_gpus, 4U);
    EXPECT_EQ(job.gpus, 2U);
    EXPECT_EQ(job.where, "n[1,3]");
    const std::vector<GpusOfNode> wanted{{.node = "n1", .gpus = 2, .indices = {0, 2}},
                                         {.node = "n3", .gpus = 0, .indices = {}}};
    EXPECT_EQ(job.allocation, wanted);
    record.of.gres_detail_cnt = 3;
    EXPECT_EQ(whole_job_of(record.of).allocation, wanted) << "more texts than nodes";
    record.of.nodes = nullptr;
    EXPECT_TRUE(whole_job_of(record.of).allocation.empty());
    record.of.job_state = JOB_PENDING;
    EXPECT_TRUE(whole_job_of(record.of).allocation.empty());
    EXPECT_EQ(job_of(record.of).where, "");
}

TEST(Job, asks_for_memory_by_the_node_or_by_the_cpu) {
    struct Case {
        std::uint64_t memory;
        std::optional<std::uint64_t> per_node;
        std::optional<std::uint64_t> per_cpu;
    };
    const Case cases[] = {
        {0, 0, std::nullopt},  // all of a node's
        {NO_VAL64, std::nullopt, std::nullopt},
        {4000, 4000, std::nullopt},
        {4000 | MEM_PER_CPU, std::nullopt, 4000},
    };
    for (const Case& each : cases) {
        Record record;
        record.of.pn_min_memory = each.memory;
        EXPECT_EQ(job_of(record.of).memory_per_node, each.per_node) << each.memory;
        EXPECT_EQ(job_of(record.of).memory_per_cpu, each.per_cpu) << each.memory;
    }
}

TEST(Job, has_the_memory_of_each_gpu) {
    Record record;
    std::string memory = "gres:gpu:300";
    record.of.mem_per_tres = memory.data();
    EXPECT_EQ(job_of(record.of).memory_per_gpu, 300U);
    record.of.mem_per_tres = nullptr;
    EXPECT_EQ(job_of(record.of).memory_per_gpu, std::nullopt);
}

TEST(Job, says_nothing_where_slurm_says_nothing) {
    Record record;
    record.of.num_nodes = NO_VAL;
    record.of.num_tasks = NO_VAL;
    record.of.ntasks_per_node = NO_VAL16;
    record.of.cpus_per_task = NO_VAL16;
    record.of.max_nodes = NO_VAL;
    record.of.threads_per_core = NO_VAL16;
    record.of.core_spec = NO_VAL16;
    const Job job = job_of(record.of);
    EXPECT_EQ(job.shape, JobShape());
    EXPECT_EQ(job.max_nodes, 0U);
    EXPECT_FALSE(job.has_own_layout);
    record.of.threads_per_core = 1;
    EXPECT_TRUE(job_of(record.of).has_own_layout);
}

// Else horad would take what it has set itself, or what slurmctld works out, for the owner's
// change.
TEST(Job, is_told_from_its_request_without_what_hora_changes) {
    Record record;
    record.of.qos = record.text("normal");
    const std::string before = whole_job_of(record.of).rest_of_request;
    record.of.num_nodes = 4;
    record.of.tres_per_node = record.text("gres:gpu:2");
    record.of.time_limit = 10;
    record.of.eligible_time = 5000;
    record.of.nice = NICE_OFFSET + 5;
    record.of.priority = 7;
    record.of.admin_comment = record.text("hora");
    EXPECT_EQ(whole_job_of(record.of).rest_of_request, before);
    record.of.dependency = record.text("afterany:8");
    const std::string depends = whole_job_of(record.of).rest_of_request;
    EXPECT_NE(depends, before);
    record.of.dependency = nullptr;
    record.of.features = record.text("afterany:8");
    EXPECT_NE(whole_job_of(record.of).rest_of_request, depends) << "each in its place";
    record.of.features = nullptr;
    record.of.qos = record.text("high");
    EXPECT_NE(whole_job_of(record.of).rest_of_request, before);
}

}  // namespace
}  // namespace hora::slurm
