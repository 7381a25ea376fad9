// Does a job go back to the queue only where this start of it runs, and is the rest seen to as
// slurmctld and its nodes need it?
#include "scripts/watch-job/requeue/requeue.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/unit/watch_job/controller.hpp"
#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

using Words = std::vector<std::string>;

// No other run of these tests has processes of that cluster.
// Its start began when running_job() says.
const JobMark mark{"tests-of-hora-" + std::to_string(getpid()), 12, 2, 500};
const std::string cluster = "SLURM_CLUSTER_NAME=" + mark.cluster;

bool is_killed(pid_t pid) {
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

// A process of a step of that start.
class Rank {
  public:
    explicit Rank(const char* count) : pid_(fork()) {
        if (pid_ == 0) {
            execl("/usr/bin/env", "env", "-i", "SLURM_JOB_ID=12", "SLURM_STEP_ID=0",
                  cluster.c_str(), count, "/bin/sleep", "100", nullptr);
            _exit(127);
        }
        EXPECT_TRUE(comes_true([this] { return sleeps(); }));
    }
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    ~Rank() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

    pid_t pid() const { return pid_; }
    bool sleeps() const {
        // The kernel names a process before it has the variables of what it executes.
        static const std::string variables[] = {"SLURM_JOB_ID=12"};
        const auto process = find_process(pid_);
        return process && process->name == "sleep" && !process->has_ended &&
               has_variables(*process, variables);
    }

  private:
    pid_t pid_;
};

class Requeue : public OneRunningJob {
  protected:
    static void go_back() {
        job().job_state = JOB_PENDING | JOB_COMPLETING;
        ++job().restart_cnt;
    }
};

TEST_F(Requeue, AsksForNothingWhereThisStartIsOverOrMayNot) {
    const struct {
        const char* sentence;
        void (*change)();
        Outcome outcome;
        const char* why;
    } cases[] = {
        {"slurmctld knows no such job", [] { controller().jobs.clear(); }, Outcome::refused,
         "the job does not run any more"},
        {"it says so", [] { controller().load_error = ESLURM_INVALID_JOB_ID; }, Outcome::refused,
         "the job does not run any more"},
        {"of another job", [] { slurm::job_id(job()) = 13; }, Outcome::refused,
         "the job does not run any more"},
        {"it waits", [] { job().job_state = JOB_PENDING; }, Outcome::refused,
         "the job does not run any more"},
        {"it is suspended", [] { job().job_state = JOB_SUSPENDED; }, Outcome::refused,
         "the job does not run any more"},
        {"it has ended", [] { job().job_state = JOB_TIMEOUT; }, Outcome::refused,
         "the job does not run any more"},
        {"it was cancelled", [] { job().job_state = JOB_CANCELLED | JOB_COMPLETING; },
         Outcome::refused, "the job does not run any more"},
        {"it is being cleaned up", [] { job().job_state = JOB_RUNNING | JOB_COMPLETING; },
         Outcome::refused, "the job does not run any more"},
        {"it runs in the next start", [] { job().restart_cnt = 3; }, Outcome::refused,
         "the job is in start 3 already"},
        {"in the next one, which slurmctld counts as this", [] { job().start_time = 501; },
         Outcome::replaced, "the job has been started again already"},
        {"it may not", [] { job().requeue = 0; }, Outcome::refused,
         "the job may not be requeued (--no-requeue)"},
        {"slurmctld does not answer", [] { controller().load_error = ETIMEDOUT; },
         Outcome::unreachable, "cannot load job 12 from slurmctld: Connection timed out"},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        const Shell shell("sleep 100; true");
        shell.wait_for_sleep(2);
        const Attempt attempt = requeue(mark, shell.pid());
        EXPECT_EQ(attempt.outcome, row.outcome) << row.sentence;
        EXPECT_EQ(attempt.why, row.why) << row.sentence;
        EXPECT_TRUE(controller().requeued.empty()) << row.sentence;
        EXPECT_FALSE(attempt.limit) << row.sentence;
        EXPECT_EQ(shell.size(), 2U) << row.sentence;
        EXPECT_FALSE(is_stopped(shell.pid())) << row.sentence;
    }
}

TEST_F(Requeue, EndsTheScriptWhereTheJobHasGoneBackWhateverTheAnswer) {
    const struct {
        const char* sentence;
        int error;
        void (*meanwhile)();
        bool is_requeued;
        Outcome otherwise;
    } cases[] = {
        {"it is done", 0, go_back, true, {}},
        {"the answer is lost", ETIMEDOUT, go_back, true, {}},
        {"it runs again already", 0, [] { ++job().restart_cnt; }, true, {}},
        {"and is counted as if it had not", 0, [] { job().start_time = 501; }, true, {}},
        {"slurmctld counts this start as the one before",
         0,
         [] {
             go_back();
             job().restart_cnt = 2;
         },
         true,
         {}},
        {"refused", ESLURM_ACCESS_DENIED, [] {}, false, Outcome::refused},
        {"not reached", ECONNREFUSED, [] {}, false, Outcome::unreachable},
        {"cancelled meanwhile", ESLURM_JOB_NOT_RUNNING, [] { job().job_state = JOB_CANCELLED; },
         false, Outcome::refused},
        {"gone meanwhile", ESLURM_INVALID_JOB_ID, [] { controller().jobs.clear(); }, false,
         Outcome::refused},
    };
    for (const auto& row : cases) {
        SetUp();
        controller().requeue_error = row.error;
        const Shell shell("sleep 100; true");
        shell.wait_for_sleep(2);
        controller().at_requeue = [&] {
            wait_for_stop(shell.pid());
            row.meanwhile();
        };
        const Attempt attempt = requeue(mark, shell.pid());
        EXPECT_EQ(controller().requeued, Words{"12 " + std::to_string(JOB_RUNNING)})
            << row.sentence;
        EXPECT_EQ(attempt.outcome, row.is_requeued ? Outcome::requeued : row.otherwise)
            << row.sentence;
        EXPECT_EQ(attempt.why.empty(), row.is_requeued) << row.sentence;
        if (row.is_requeued) {
            EXPECT_TRUE(is_killed(shell.pid())) << row.sentence;
            EXPECT_EQ(attempt.run.nodes, "n1") << row.sentence;
            EXPECT_EQ(attempt.run.began, 500) << row.sentence;
        } else {
            EXPECT_TRUE(is_continued(shell.pid())) << row.sentence;
            EXPECT_EQ(attempt.run.nodes, "") << row.sentence;
        }
    }
}

// Killed before, it may have forgotten a restart.
TEST_F(Requeue, GoesByWhatSlurmctldCountsOfTheStartThatIsOver) {
    for (const std::uint16_t restarts : {std::uint16_t{2}, std::uint16_t{1}}) {
        SetUp();
        job().restart_cnt = restarts;
        job().time_limit = 60;
        controller().clock = 1100;
        controller().at_requeue = go_back;
        const Shell shell("sleep 100; true");
        const Attempt attempt = requeue(mark, shell.pid());
        ASSERT_EQ(attempt.outcome, Outcome::requeued) << restarts;
        EXPECT_EQ(attempt.run.restarts, restarts);
        job().job_state = JOB_PENDING;
        job().submit_time = 1100;
        job().eligible_time = 1221;
        controller().at_look = [] { controller().clock += controller().updates.empty() ? 0 : 100; };
        begin_soon(mark.job, attempt.run, 0, attempt.limit);
        EXPECT_EQ(controller().updates, (Words{"12 begin=1101 limit=50", "12"})) << restarts;
    }
}

TEST_F(Requeue, OfAJobThatEndedBeforeItIsNone) {
    const Shell shell("sleep 100; true");
    controller().at_requeue = [] { job().job_state = JOB_COMPLETE; };
    const Attempt attempt = requeue(mark, shell.pid());
    EXPECT_EQ(attempt.outcome, Outcome::refused);
    EXPECT_EQ(attempt.why, "the job ended meanwhile");
}

TEST_F(Requeue, LooksAgainWhereSlurmctldDoesNotAnswerWhatHasBecomeOfIt) {
    const Shell shell("sleep 100; true");
    controller().at_requeue = [] {
        go_back();
        controller().load_error = ETIMEDOUT;
    };
    controller().at_look = [] {
        controller().load_error = controller().looks() < 3 ? controller().load_error : 0;
    };
    EXPECT_EQ(requeue(mark, shell.pid()).outcome, Outcome::requeued);
    EXPECT_EQ(controller().looks(), 3);
}

TEST_F(Requeue, LeavesTheNextStartWhatIsLeftOfTheLimit) {
    const struct {
        const char* sentence;
        std::uint32_t limit;  // minutes
        std::int64_t began;
        std::int64_t clock;
        std::optional<double> rest;  // minutes
    } cases[] = {
        {"in whole minutes, rounded up", 60, 500, 500 + 61, 59},
        {"a minute sharp", 60, 500, 500 + 60, 59},
        {"less than one", 60, 500, 500 + 59, {}},
        {"just begun", 60, 500, 500, {}},
        {"by a clock that was set back", 60, 500, 400, {}},
        {"never less than a start takes", 60, 500, 500 + 3599, 2},
        {"also beyond it", 60, 500, 500 + 9999, 2},
        {"one that is no longer than that stays", 2, 500, 500 + 110, {}},
        {"it has none", NO_VAL, 500, 600, {}},
        {"it is unlimited", INFINITE, 500, 600, {}},
        {"since when it runs is not known", 60, 0, 600, {}},
    };
    for (const auto& row : cases) {
        SetUp();
        job().time_limit = row.limit;
        job().start_time = row.began;
        controller().clock = row.clock;
        controller().at_requeue = go_back;
        const Shell shell("sleep 100; true");
        const Attempt attempt = requeue(mark, shell.pid());
        ASSERT_EQ(attempt.outcome, Outcome::requeued) << row.sentence;
        ASSERT_EQ(attempt.limit.has_value(), row.rest.has_value()) << row.sentence;
        if (row.rest) {
            EXPECT_EQ(attempt.limit->limit, Seconds(60.0 * row.limit)) << row.sentence;
            EXPECT_EQ(attempt.limit->rest, Seconds(60 * *row.rest)) << row.sentence;
        }
    }
}

TEST_F(Requeue, EndsAScriptThatALaterStartHasReplacedAndNoOther) {
    const struct {
        const char* sentence;
        void (*change)();
        bool is_replaced;
    } cases[] = {
        {"the job runs in the next start", [] { job().restart_cnt = 3; }, true},
        {"in one that slurmctld counts as this, and whose ranks look the same",
         [] { job().start_time = 501; }, false},
        {"it runs in this one", [] {}, false},
        {"it is counted as the one before", [] { job().restart_cnt = 1; }, false},
        {"the next one waits",
         [] {
             job().restart_cnt = 3;
             job().job_state = JOB_PENDING;
         },
         false},
        {"it has ended",
         [] {
             job().restart_cnt = 3;
             job().job_state = JOB_CANCELLED;
         },
         false},
        {"it is gone", [] { controller().jobs.clear(); }, false},
        {"slurmctld does not answer",
         [] {
             job().restart_cnt = 3;
             controller().load_error = ETIMEDOUT;
         },
         false},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        const Shell shell("sleep 100; true");
        shell.wait_for_sleep(2);
        const Rank rank("SLURM_RESTART_COUNT=2");
        const Rank of_next("SLURM_RESTART_COUNT=3");
        EXPECT_EQ(end_if_replaced(mark, shell.pid()), row.is_replaced) << row.sentence;
        if (row.is_replaced) {
            EXPECT_TRUE(is_killed(shell.pid())) << row.sentence;
            EXPECT_TRUE(is_killed(rank.pid())) << row.sentence;
        } else {
            EXPECT_EQ(shell.size(), 2U) << row.sentence;
            EXPECT_FALSE(is_stopped(shell.pid())) << row.sentence;
            EXPECT_TRUE(rank.sleeps()) << row.sentence;
        }
        EXPECT_TRUE(of_next.sleeps()) << row.sentence;
    }
}

TEST_F(Requeue, LeavesTheRanksOfAJobThatIsNotStartedAgain) {
    const Rank rank("SLURM_RESTART_COUNT=2");
    for (std::uint16_t restarts = 0; restarts < 3; ++restarts) {
        job().restart_cnt = restarts;
        end_what_is_left(mark);
        EXPECT_TRUE(rank.sleeps()) << restarts;
    }
    job().start_time = 501;
    end_what_is_left(mark);
    EXPECT_TRUE(rank.sleeps()) << "it may be of the next start, which is counted like this one";
    job().job_state = JOB_COMPLETE | JOB_COMPLETING;
    end_what_is_left(mark);
    EXPECT_TRUE(rank.sleeps()) << "Slurm ends them";
}

TEST_F(Requeue, EndsTheRanksOfALostNodeHoweverTheNextStartIsCounted) {
    const struct {
        const char* sentence;
        void (*change)();
    } cases[] = {
        {"the job waits",
         [] {
             job().restart_cnt = 3;
             job().job_state = JOB_PENDING;
         }},
        {"it waits, and slurmctld counted this start as the one before",
         [] { job().job_state = JOB_PENDING | JOB_COMPLETING; }},
        {"it runs in the next start", [] { job().restart_cnt = 3; }},
        {"slurmctld does not say so at once",
         [] {
             job().restart_cnt = 3;
             controller().load_error = ETIMEDOUT;
             controller().at_look = [] {
                 controller().load_error = controller().looks() < 3 ? ETIMEDOUT : 0;
             };
         }},
    };
    for (const auto& row : cases) {
        SetUp();
        const Rank rank("SLURM_RESTART_COUNT=2");
        row.change();
        end_what_is_left(mark);
        EXPECT_TRUE(is_killed(rank.pid())) << row.sentence;
    }
}

TEST_F(Requeue, KnowsWhatTheStartRunsOn) {
    char gpus[] = "gpu:a100:2(IDX:0-1)";
    char* details[] = {gpus};
    job().gres_detail_str = details;
    job().gres_detail_cnt = 1;
    ASSERT_TRUE(holding_of(12));
    EXPECT_EQ(holding_of(12)->gpus, 2U);
    EXPECT_EQ(holding_of(12)->nodes, 1U);
    EXPECT_EQ(holding_of(12)->began, 500);
    EXPECT_FALSE(holding_of(13));
    controller().load_error = ETIMEDOUT;
    EXPECT_FALSE(holding_of(12));
    controller().load_error = 0;
    job().job_state = JOB_PENDING;
    EXPECT_FALSE(holding_of(12)) << "what it asks for it does not hold";
}

// A requeued job that is cleaned up at 1000, whose start that is over began at 500.
class BeginSoon : public OneRunningJob {
  protected:
    void SetUp() override {
        OneRunningJob::SetUp();
        job().job_state = JOB_PENDING;
        job().restart_cnt = 3;
        job().submit_time = 1000;
        job().eligible_time = 1121;
        job().time_limit = 60;
        controller().at_look = [] {
            if (!controller().updates.empty()) {
                controller().clock += 100;  // nothing waits for it
            }
        };
    }

    static void begin(int grace = 0) {
        begin_soon(12, {.nodes = "n1", .restarts = 2, .began = 500}, grace,
                   LimitChange{.limit = Seconds(3600), .rest = Seconds(3000)});
    }
};

TEST_F(BeginSoon, NeverInTheSecondOfTheEndNorBeforeSlurmIsReady) {
    const struct {
        const char* sentence;
        void (*change)();
        std::int64_t begins;  // 0: as it is
    } cases[] = {
        {"a second later", [] {}, 1001},
        {"the clock has gone on since", [] { job().submit_time = 990; }, 1001},
        {"the clock was set back by a second", [] { job().submit_time = 1001; }, 1003},
        {"the clock was set back by much",
         [] {
             job().submit_time = 5000;
             job().eligible_time = 5121;
         },
         1121},
        {"slurmctld has just started", [] { controller().booted = 997; }, 1007},
        {"slurmctld has settled", [] { controller().booted = 991; }, 1001},
        {"slurmctld starts now", [] { controller().booted = 1000; }, 1010},
        {"it was started by a clock that was set back since", [] { controller().booted = 2000; },
         1001},
        {"one that stood by may have just taken over",
         [] {
             controller().controllers = 2;
             controller().is_first_up = false;
         },
         1010},
        {"one stands by", [] { controller().controllers = 2; }, 1001},
        {"a node's slurmd was started since the run began",
         [] { controller().slurmd_started = 900; }, 1001},
        {"and has not heard of it yet", [] { controller().slurmd_started = 980; }, 1050},
        {"in the second in which it began", [] { controller().slurmd_started = 500; }, 1001},
        {"a slurmd that has nothing to do with it",
         [] {
             controller().node = "n2";
             controller().slurmd_started = 980;
         },
         1001},
        {"that would be later than Slurm has it by itself",
         [] { controller().slurmd_started = 1055; }, 0},
        {"it is early enough as it is", [] { job().eligible_time = 1001; }, 0},
        {"users may not look at nodes", [] { controller().node_error = ESLURM_ACCESS_DENIED; }, 0},
        {"it is held",
         [] {
             job().priority = 0;
             job().state_reason = WAIT_HELD_USER;
         },
         0},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        begin();
        Words expected{"12 limit=50"};
        if (row.begins != 0) {
            expected = {"12 begin=" + std::to_string(row.begins) + " limit=50", "12"};
        }
        EXPECT_EQ(controller().updates, expected) << row.sentence;
    }
}

TEST_F(BeginSoon, WaitsUntilTheLastRunIsCleanedUp) {
    job().job_state = JOB_PENDING | JOB_COMPLETING;
    controller().at_look = [] {
        const int look = controller().looks();
        controller().load_error = look == 2 ? ETIMEDOUT : 0;
        controller().clock += controller().updates.empty() ? 1 : 100;
        if (look == 4) {
            job().job_state = JOB_PENDING;
            job().submit_time = 1004;
            job().eligible_time = 1125;
        }
    };
    begin();
    EXPECT_EQ(controller().updates, (Words{"12 begin=1006 limit=50", "12"}));
}

TEST_F(BeginSoon, LeavesAJobAloneThatIsInNoSuchStartAnyMore) {
    const struct {
        const char* sentence;
        void (*change)();
    } cases[] = {
        {"gone", [] { controller().jobs.clear(); }},
        {"unknown", [] { controller().load_error = ESLURM_INVALID_JOB_ID; }},
        {"cancelled", [] { job().job_state = JOB_CANCELLED; }},
        {"running", [] { job().job_state = JOB_RUNNING; }},
        {"not requeued", [] { job().restart_cnt = 2; }},
        {"requeued twice", [] { job().restart_cnt = 4; }},
    };
    for (const auto& row : cases) {
        for (const int from : {1, 2}) {
            SetUp();
            controller().at_look = [&] {
                if (controller().looks() == from) {
                    row.change();
                }
            };
            begin();
            EXPECT_EQ(controller().updates, Words()) << row.sentence << " at look " << from;
        }
    }
}

TEST_F(BeginSoon, LeavesAloneWhatSomebodyElseHasSeenTo) {
    const struct {
        const char* sentence;
        void (*meanwhile)();
        Words updates;
    } cases[] = {
        {"the begin", [] { job().eligible_time = 1002; }, {"12 limit=50"}},
        {"a later one", [] { job().eligible_time = 9999; }, {"12 limit=50"}},
        {"the limit", [] { job().time_limit = 30; }, {"12 begin=1001", "12"}},
        {"no limit any more", [] { job().time_limit = INFINITE; }, {"12 begin=1001", "12"}},
        {"both",
         [] {
             job().eligible_time = 1002;
             job().time_limit = 30;
         },
         {}},
    };
    for (const auto& row : cases) {
        SetUp();
        controller().at_look = [&] {
            if (controller().looks() == 2) {
                row.meanwhile();
            }
            controller().clock += controller().updates.empty() ? 0 : 100;
        };
        begin();
        EXPECT_EQ(controller().updates, row.updates) << row.sentence;
    }
}

// There is no second of grace: Slurm itself would let it begin.
TEST_F(BeginSoon, GivesNoJobTheTimeThatSlurmDoesNotGive) {
    for (const std::int64_t eligible : {0, 1000, 1002}) {
        SetUp();
        job().eligible_time = eligible;
        const auto before = std::chrono::steady_clock::now();
        begin(3600);
        EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(60));
        const Words only_limit{"12 limit=50"};
        const Words all{"12 begin=1001 limit=50", "12"};
        EXPECT_EQ(controller().updates, eligible == 1002 ? all : only_limit) << eligible;
    }
}

TEST_F(BeginSoon, IsAskedForAnewWhereSlurmctldDoesNotAnswer) {
    const struct {
        const char* sentence;
        void (*change)();
        void (*at_look)();
        Words updates;
    } cases[] = {
        {"as it is looked for",
         [] {},
         [] {
             const int look = controller().looks();
             controller().load_error = look == 2 || look == 3 ? ETIMEDOUT : 0;
         },
         {"12 begin=1001 limit=50", "12"}},
        {"since when it runs",
         [] { controller().configuration_error = ETIMEDOUT; },
         [] { controller().configuration_error = controller().looks() < 4 ? ETIMEDOUT : 0; },
         {"12 limit=50", "12 begin=1101", "12"}},
        {"since when its nodes run",
         [] { controller().node_error = ETIMEDOUT; },
         [] { controller().node_error = controller().looks() < 4 ? ETIMEDOUT : 0; },
         {"12 limit=50", "12 begin=1101", "12"}},
        {"to the change",
         [] { controller().update_errors = {ETIMEDOUT}; },
         [] {},
         {"12 begin=1001 limit=50", "12 begin=1101 limit=50", "12"}},
        {"to the change that it has made",
         [] { controller().update_errors = {ETIMEDOUT}; },
         [] {
             if (!controller().updates.empty()) {
                 job().eligible_time = 1001;
                 job().time_limit = 50;
             }
         },
         {"12 begin=1001 limit=50", "12 begin=1001", "12"}},
        {"as it is to look for jobs to start",
         [] {
             controller().update_errors = {0, ETIMEDOUT};
         },
         [] {
             if (!controller().updates.empty()) {
                 job().eligible_time = 1001;
                 job().time_limit = 50;
             }
         },
         {"12 begin=1001 limit=50", "12", "12 begin=1001", "12"}},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        controller().at_look = [&] {
            controller().clock += controller().updates.empty() ? 0 : 100;
            if (!controller().updates.empty() &&
                controller().updates[0].find("begin") == std::string::npos) {
                job().time_limit = 50;  // it has taken that
            }
            row.at_look();
        };
        begin();
        EXPECT_EQ(controller().updates, row.updates) << row.sentence;
    }
}

TEST_F(BeginSoon, WithoutTheLimitWhereThatIsRefused) {
    controller().update_errors = {ESLURM_ACCESS_DENIED};
    begin();
    EXPECT_EQ(controller().updates, (Words{"12 begin=1001 limit=50", "12 begin=1001", "12"}));
}

TEST_F(BeginSoon, KeepsALimitThatIsNotToChange) {
    begin_soon(12, {.nodes = "n1", .restarts = 2, .began = 500}, 0, std::nullopt);
    EXPECT_EQ(controller().updates, (Words{"12 begin=1001", "12"}));
}

}  // namespace
}  // namespace hora::watch
