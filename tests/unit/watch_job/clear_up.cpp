// Which folders go after a script has ended, by what slurmctld says of their jobs?
#include "scripts/watch-job/clear_up.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/watch_job/controller.hpp"

namespace hora::watch {
namespace {

namespace fs = std::filesystem;

class ClearUp : public OneRunningJob {
  protected:
    // Of job 12, in its start 2.
    Options options() const {
        Options options;
        options.job = 12;
        options.restarts = 2;
        options.cluster = "blue";
        options.folder = scratch.file("blue-12-400");
        return options;
    }
    void make(const std::string& name) const {
        fs::create_directories(scratch.file(name));
        fs::permissions(scratch.file(name), fs::perms::owner_all);
    }
    // Written to as long ago.
    void make_old(const std::string& name, std::chrono::seconds age) const {
        make(name);
        fs::last_write_time(scratch.file(name), fs::file_time_type::clock::now() - age);
    }
    bool stays(const std::string& name) const { return fs::exists(scratch.file(name)); }

    const tests::ScratchFolder scratch;
};

TEST_F(ClearUp, RemovesTheFolderOfAJobThatIsDone) {
    const struct {
        const char* sentence;
        bool removes_finished;
        int status;
        void (*change)();
        bool stays;
    } cases[] = {
        {"its last start ended with status 0", true, 0, [] {}, false},
        {"which slurmctld counts as the one before", true, 0, [] { job().restart_cnt = 1; }, false},
        {"with another status", true, 1, [] {}, true},
        {"by a signal", true, 137, [] {}, true},
        {"folders are kept", false, 0, [] {}, true},
        {"it has gone back to the queue", true, 0,
         [] {
             job().job_state = JOB_PENDING | JOB_COMPLETING;
             job().restart_cnt = 3;
         },
         true},
        {"it runs in the next start", true, 0, [] { job().restart_cnt = 3; }, true},
        {"it was cancelled", true, 0, [] { job().job_state = JOB_CANCELLED; }, true},
        {"its time was over", true, 0, [] { job().job_state = JOB_TIMEOUT | JOB_COMPLETING; },
         true},
        {"slurmctld knows none", true, 0, [] { controller().jobs.clear(); }, true},
        {"it does not say", true, 0, [] { controller().load_error = ETIMEDOUT; }, true},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        make("blue-12-400");
        scratch.write("blue-12-400/step-5", "5");
        Options given = options();
        given.removes_finished = row.removes_finished;
        given.exit_status = row.status;
        EXPECT_EQ(clear_up(given), 0) << row.sentence;
        EXPECT_EQ(stays("blue-12-400/step-5"), row.stays) << row.sentence;
        EXPECT_EQ(stays("blue-12-400"), row.stays) << row.sentence;
    }
}

TEST_F(ClearUp, OfFoldersBesideItThoseGoWhoseJobsAreOver) {
    const struct {
        const char* sentence;
        std::uint32_t state;
        bool stays;
    } cases[] = {
        {"it ended well", JOB_COMPLETE, false},
        {"it failed", JOB_FAILED, false},
        {"it was cancelled", JOB_CANCELLED, false},
        {"it waits", JOB_PENDING, true},
        {"it runs", JOB_RUNNING, true},
        {"it is suspended", JOB_SUSPENDED, true},
        {"it goes back to the queue", static_cast<std::uint32_t>(JOB_PENDING | JOB_COMPLETING),
         true},
        // Slurm makes a pending one of it once its run is cleaned up (RequeueExit of slurm.conf).
        {"its status is one that requeues it",
         static_cast<std::uint32_t>(JOB_FAILED | JOB_COMPLETING | JOB_REQUEUE), true},
        {"its run is being cleaned up", static_cast<std::uint32_t>(JOB_COMPLETE | JOB_COMPLETING),
         true},
    };
    for (const auto& row : cases) {
        SetUp();
        controller().jobs.push_back(running_job());
        slurm::job_id(controller().jobs[1]) = 13;
        controller().jobs[1].job_state = row.state;
        make("blue-12-400");
        make_old("blue-13-1", std::chrono::hours(2));
        Options given = options();
        given.keep = Seconds(3600);
        EXPECT_EQ(clear_up(given), 0) << row.sentence;
        EXPECT_EQ(stays("blue-13-1"), row.stays) << row.sentence;
        EXPECT_TRUE(stays("blue-12-400")) << row.sentence;
    }
}

TEST_F(ClearUp, OfJobsThatSlurmHasForgottenGoesWhatIsOldEnough) {
    make_old("blue-12-400", std::chrono::hours(9));
    make_old("blue-13-1", std::chrono::hours(2));
    make_old("blue-14-1", std::chrono::minutes(58));
    make_old("red-13-1", std::chrono::hours(2));
    make_old("blue-13", std::chrono::hours(2));
    Options given = options();
    clear_up(given);
    EXPECT_TRUE(stays("blue-13-1")) << "they are kept for ever";
    given.keep = Seconds(3600);
    controller().load_error = ETIMEDOUT;
    clear_up(given);
    EXPECT_TRUE(stays("blue-13-1")) << "slurmctld does not say";
    controller().load_error = ESLURM_INVALID_JOB_ID;
    clear_up(given);
    EXPECT_FALSE(stays("blue-13-1"));
    for (const char* const name : {"blue-12-400", "blue-14-1", "red-13-1", "blue-13"}) {
        EXPECT_TRUE(stays(name)) << name;
    }
}

TEST_F(ClearUp, RemovesWhatNothingWasWrittenTo) {
    const struct {
        const char* sentence;
        const char* file;
        void (*change)();
        bool stays;
    } cases[] = {
        {"its start is the job's last", "restarts", [] {}, false},
        {"however that ended", "restarts", [] { job().job_state = JOB_CANCELLED; }, false},
        {"slurmctld knows none", "restarts", [] { controller().jobs.clear(); }, false},
        {"a later start may be about to write", "restarts", [] { job().restart_cnt = 3; }, true},
        {"slurmctld counts this start as the one before", "restarts", [] { job().restart_cnt = 1; },
         true},
        {"slurmctld does not say", "restarts", [] { controller().load_error = ETIMEDOUT; }, true},
        {"something was written", "progress.jsonl", [] {}, true},
        {"even an empty file", "READY", [] {}, true},
    };
    for (const auto& row : cases) {
        SetUp();
        row.change();
        fs::remove_all(scratch.file("blue-12-400"));
        make("blue-12-400");
        scratch.write(std::string("blue-12-400/") + row.file, "");
        clear_unused(options());
        EXPECT_EQ(stays("blue-12-400"), row.stays) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::watch
