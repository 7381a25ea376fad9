#include "plugins/job_submit/modify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <vector>

#include "plugins/job_submit/restart_refusal.hpp"
#include "plugins/slurm/store/lock_key.hpp"
#include "plugins/slurm/store/restart_locks.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/scratch_folder.hpp"

// As libslurm's, for the fields that the tests look at.
extern "C" void slurm_init_job_desc_msg(job_desc_msg_t* message) {
    std::memset(message, 0, sizeof *message);
    message->min_nodes = message->max_nodes = message->num_tasks = NO_VAL;
    message->min_cpus = message->time_limit = message->user_id = message->priority = NO_VAL;
    message->ntasks_per_node = message->cpus_per_task = message->shared = NO_VAL16;
    message->ntasks_per_tres = NO_VAL16;
    message->pn_min_memory = NO_VAL64;
}

namespace hora::submit {
namespace {

constexpr std::uint32_t owner = 4711;
const std::string key = "0123456789abcdef0123456789abcdef";

class Modify : public ::testing::Test {
  protected:
    Modify() { EXPECT_TRUE(locks_.take(12, {.uid = owner, .key = key})); }

    // The error, and in `said_` the message.
    int ask(const std::function<void(job_desc_msg_t&)>& change, std::uint32_t uid = owner,
            const char* name = "12", std::int64_t later = 0) {
        Job job;
        job->priority = NO_VAL;
        slurm::set_string(job->job_id_str, name);
        change(*job);
        char* message = nullptr;
        take_log();
        const int error =
            modify_in(locks_.folder(), meanwhile_, *job, uid, &message, std::time(nullptr) + later);
        limit_ = job->time_limit;
        begin_ = job->begin_time;
        EXPECT_EQ(job->cpu_bind, nullptr);
        said_ = message == nullptr ? "" : message;
        logged_ = take_log();
        slurm::set_string(message, nullptr);
        for (char** text : {&job->job_id_str, &job->dependency, &job->comment, &job->reservation}) {
            slurm::set_string(*text, nullptr);
        }
        return error;
    }

    tests::ScratchFolder folder_;
    slurm::RestartLocks locks_{folder_.path()};
    SetMeanwhile meanwhile_;
    std::uint32_t limit_ = NO_VAL;  // as slurmctld gets it, and the next one
    std::time_t begin_ = 0;
    std::string said_;
    std::vector<std::string> logged_;
};

void nodes(job_desc_msg_t& job) {
    job.min_nodes = job.max_nodes = 4;
}

TEST_F(Modify, refuses_an_owner_all_but_a_hold_and_the_time_limit) {
    struct Case {
        const char* name;
        std::function<void(job_desc_msg_t&)> change;
        bool passes;
    };
    const Case cases[] = {
        {"nothing", [](auto&) {}, true},
        {"a hold", [](auto& job) { job.priority = 0; }, true},
        {"a release", [](auto& job) { job.priority = INFINITE; }, true},
        {"the time limit", [](auto& job) { job.time_limit = 77; }, true},
        {"a priority", [](auto& job) { job.priority = 5; }, false},
        {"nodes", nodes, false},
        {"nodes with a hold",
         [](auto& job) {
             nodes(job);
             job.priority = 0;
         },
         false},
        {"tasks", [](auto& job) { job.num_tasks = 16; }, false},
        {"GPUs", [](auto& job) { slurm::set_string(job.tres_per_node, "gres:gpu:4"); }, false},
        {"what it depends on", [](auto& job) { slurm::set_string(job.dependency, "afterany:9"); },
         false},
        {"that it depends on nothing", [](auto& job) { slurm::set_string(job.dependency, ""); },
         false},
        {"features", [](auto& job) { slurm::set_string(job.features, "a"); }, false},
        {"its partition", [](auto& job) { slurm::set_string(job.partition, "b"); }, false},
        {"its begin", [](auto& job) { job.begin_time = 1; }, false},
        {"its comment", [](auto& job) { slurm::set_string(job.comment, "a"); }, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(ask(each.change),
                  each.passes ? SLURM_SUCCESS : ESLURM_TRANSITION_STATE_NO_UPDATE);
        EXPECT_EQ(said_.empty(), each.passes);
        EXPECT_EQ(said_.find('\n'), std::string::npos);
        EXPECT_EQ(logged_.size(), each.passes ? 0U : 1U) << "slurmctld's log";
    }
}

TEST_F(Modify, lets_pass_whoever_is_not_the_owner_of_a_job_that_restarts) {
    EXPECT_EQ(ask(nodes), ESLURM_TRANSITION_STATE_NO_UPDATE);
    EXPECT_EQ(ask(nodes, 0), SLURM_SUCCESS) << "root";
    EXPECT_EQ(ask(nodes, ::geteuid()), SLURM_SUCCESS) << "SlurmUser";
    EXPECT_EQ(ask(nodes, owner + 1), SLURM_SUCCESS) << "Slurm keeps out others";
    EXPECT_EQ(ask(nodes, owner, "13"), SLURM_SUCCESS) << "another job";
    locks_.let_go(12);
    EXPECT_EQ(ask(nodes), SLURM_SUCCESS) << "it runs again";
}

TEST_F(Modify, knows_a_job_however_its_number_is_written) {
    for (const char* name : {"12", " 12", "+12", "0012", "12_3", "12+1"}) {
        EXPECT_EQ(ask(nodes, owner, name), ESLURM_TRANSITION_STATE_NO_UPDATE) << name;
    }
    EXPECT_EQ(ask(
                  [](auto& job) {
                      nodes(job);
                      slurm::job_id(job) = 12;
                  },
                  owner, nullptr),
              ESLURM_TRANSITION_STATE_NO_UPDATE)
        << "by its number alone";
}

TEST_F(Modify, knows_horad_that_changes_a_job_in_its_owners_name) {
    const auto with = [](const std::string& text) {
        return [text](job_desc_msg_t& job) {
            nodes(job);
            slurm::set_string(slurm::lock_key_place(job), text.c_str());
        };
    };
    EXPECT_EQ(ask(with(key)), SLURM_SUCCESS);
    EXPECT_EQ(ask(with(std::string(32, 'a'))), ESLURM_TRANSITION_STATE_NO_UPDATE);
}

TEST_F(Modify, puts_no_job_where_nodes_are_kept_for_one_that_restarts) {
    const auto with = [](const char* reservation) {
        return
            [reservation](job_desc_msg_t& job) { slurm::set_string(job.reservation, reservation); };
    };
    for (const char* name : {"12", "13"}) {
        for (const std::uint32_t uid : {owner, owner + 1}) {
            for (const char* text : {"hora-restarts", "course,hora-restarts"}) {
                EXPECT_EQ(ask(with(text), uid, name), ESLURM_RESERVATION_ACCESS);
                EXPECT_EQ(said_, std::string("hora: ") + restart_refusal);
                EXPECT_EQ(logged_,
                          std::vector{fmt::format("hora: refused: update of job {} by user {}: {}",
                                                  name, uid, restart_refusal)});
            }
        }
        EXPECT_EQ(ask(with("hora-restarts"), 0, name), SLURM_SUCCESS) << "horad as root";
        EXPECT_EQ(ask(with("hora-restarts"), ::geteuid(), name), SLURM_SUCCESS) << "SlurmUser";
    }
    EXPECT_EQ(ask(with("hora-restarts-2"), owner, "13"), SLURM_SUCCESS) << "a site's own";
    EXPECT_EQ(ask(with(""), owner, "13"), SLURM_SUCCESS) << "out of any";
}

TEST_F(Modify, lets_horad_put_a_job_there_also_where_it_is_no_user_of_slurms) {
    constexpr std::uint32_t horads = owner + 2;
    const auto with_key = [](job_desc_msg_t& job) {
        slurm::set_string(job.reservation, "hora-restarts");
        slurm::set_string(slurm::lock_key_place(job), key.c_str());
    };
    EXPECT_EQ(ask(with_key, horads), SLURM_SUCCESS);
    EXPECT_EQ(ask(with_key, horads, "13"), ESLURM_RESERVATION_ACCESS) << "of another job";
}

TEST_F(Modify, takes_no_time_limit_and_no_begin_from_horad_once_another_is_set) {
    constexpr std::uint32_t limit = 6;
    constexpr std::time_t begin = 1'700'000'000;
    const auto horads = [&](job_desc_msg_t& job) {
        nodes(job);
        job.time_limit = limit;
        job.begin_time = begin;
        slurm::set_string(slurm::lock_key_place(job), key.c_str());
    };
    const auto sets_limit = [](job_desc_msg_t& job) { job.time_limit = 12; };
    const auto sets_begin = [](job_desc_msg_t& job) { job.begin_time = begin + 9; };
    const auto refused = [&](job_desc_msg_t& job) {
        nodes(job);
        sets_limit(job);
    };
    struct Case {
        const char* name;
        std::uint32_t uid;
        std::function<void(job_desc_msg_t&)> change;
        bool is_kept;
        bool keeps_limit;
        bool keeps_begin;
    };
    const Case cases[] = {
        {"the owner's limit", owner, sets_limit, true, true, false},
        {"the owner's, who is kept from nothing", owner, sets_limit, false, true, false},
        {"root's limit", 0, sets_limit, true, true, false},
        {"another's, whom slurmctld refuses", owner + 1, sets_limit, true, false, false},
        {"the owner's, with what is refused", owner, refused, true, false, false},
        {"the owner's begin, which is refused", owner, sets_begin, true, false, false},
        {"the begin of an owner who is kept from nothing", owner, sets_begin, false, false, true},
        {"root's begin", 0, sets_begin, true, false, true},
        {"none", owner, [](auto&) {}, true, false, false},
    };
    std::uint64_t number = 1;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        ASSERT_TRUE(locks_.take(
            12, {.uid = owner, .key = key, .number = ++number, .is_kept = each.is_kept}));
        ask(each.change, each.uid);
        for (const std::uint32_t uid : {owner, 0U}) {  // in its owner's name, and not so
            EXPECT_EQ(ask(horads, uid), SLURM_SUCCESS);
            EXPECT_EQ(limit_, each.keeps_limit ? NO_VAL : limit);
            EXPECT_EQ(begin_, each.keeps_begin ? 0 : begin);
        }
    }
    ask(sets_limit);
    ask(sets_begin, 0);
    EXPECT_EQ(ask(horads), SLURM_SUCCESS);
    EXPECT_EQ(limit_, NO_VAL);
    EXPECT_EQ(begin_, 0) << "one is no longer remembered than the other";
    ASSERT_TRUE(locks_.take(12, {.uid = owner, .key = key, .number = ++number}));
    EXPECT_EQ(ask(horads), SLURM_SUCCESS);
    EXPECT_EQ(limit_, limit) << "that was another restart";
    EXPECT_EQ(begin_, begin);
}

TEST_F(Modify, bounds_what_it_remembers) {
    SetMeanwhile meanwhile;
    for (std::uint32_t job = 1; job <= SetMeanwhile::most + 1; ++job) {
        meanwhile.note(job, 1, {.time_limit = true});
    }
    EXPECT_FALSE(meanwhile.of(1, 1).time_limit);
    EXPECT_TRUE(meanwhile.of(2, 1).time_limit);
}

TEST_F(Modify, keeps_an_owner_from_nothing_once_horad_has_stopped) {
    EXPECT_EQ(ask(nodes, owner, "12", slurm::longest_lock - 10), ESLURM_TRANSITION_STATE_NO_UPDATE);
    EXPECT_EQ(ask(nodes, owner, "12", slurm::longest_lock + 10), SLURM_SUCCESS);
    EXPECT_EQ(ask(nodes, owner, "12", -slurm::longest_lock - 10), SLURM_SUCCESS);
}

TEST_F(Modify, trusts_no_file_that_others_wrote) {
    ASSERT_EQ(::chmod((folder_.path() + "/12").c_str(), 0666), 0);
    EXPECT_EQ(ask(nodes), SLURM_SUCCESS);
    EXPECT_EQ(locks_.jobs(), std::vector<std::uint32_t>{12});
}

}  // namespace
}  // namespace hora::submit
