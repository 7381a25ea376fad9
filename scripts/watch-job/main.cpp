// hora-watch-job: stands beside a batch job in its owner's name. Follows its progress, and takes it
// back to the queue when its program says that a checkpoint stands.
//
// What it does, and when:
//   start     by Hora's SPANK plugin, in the batch step, before the script begins; detached
//   progress  a line in HORA_PROGRESS is reported to horad, the first two within a second or so,
//             then one report in three seconds at most; nothing of earlier starts is
//   READY     with this start's SLURM_RESTART_COUNT: reported as `checkpoint`. Then the limits are
//             looked at; the script (not srun, not the ranks) is stopped; slurm_requeue2 with
//             JOB_RUNNING; the script is killed. About 10 ms after READY the job is PENDING with
//             restart_cnt one higher, and begins by itself 121 s later: from here on a new size
//             may be set.
//             With proctrack/cgroup it ends then, for slurmstepd would kill it. Else it lets the
//             job begin earlier: as soon as COMPLETING has passed and a second more; 10 s later
//             than that where horad took the report of the checkpoint, 70 s after the start of a
//             slurmd of its nodes that was started meanwhile, and not at all where somebody has
//             set another begin time, the job is held, or its owner may not look at nodes. With
//             --lower-limit what this start ran is taken off the time limit, where nobody has
//             changed that meanwhile. Where slurmctld does not answer it is asked anew, for 15
//             minutes.
//   refused   the script goes on, READY is removed, hora.log in the folder says why: the job may
//             not be requeued, or was cancelled; no step of progress since the last start;
//             requeue.max, requeue.max_time
//   no answer slurmctld does not answer: tried anew for 60 s as long as READY stands
//   the end   of the script is reported as `ended`
//   an error  of this program, as where its owner may have no thread more: the script goes on.
//             Reports may end by it, which hora.log says; the rest does not depend on them
// Without --requeue it never touches the job.
// With --exit-status it does none of that, but clears up after a script: see clear_up.hpp.
// With --batch it does none of that, but prints a number: see start_batch.hpp.
// With --step it does none of that, but stands in one step: see step_watch.hpp.
#include <slurm/slurm.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "libplanner/base/written_output.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"
#include "scripts/watch-job/clear_up.hpp"
#include "scripts/watch-job/start_batch.hpp"
#include "scripts/watch-job/step_watch.hpp"
#include "scripts/watch-job/watch.hpp"

namespace {

using hora::watch::Options;

void describe(CLI::App& app, Options& options, double& max_time, double& keep) {
    app.add_option("--job", options.job, "the job's number")->required();
    app.add_option("--cluster", options.cluster, "the cluster's name");
    app.add_option("--restarts", options.restarts, "its SLURM_RESTART_COUNT (0)");
    app.add_option("--shell", options.shell, "process id of its batch script");
    app.add_option("--shell-fd", options.shell_descriptor, "a pidfd of it that was handed down");
    app.add_option("--folder", options.folder, "its HORA_CHECKPOINT_DIR");
    app.add_option("--progress", options.progress, "its HORA_PROGRESS");
    app.add_option("--settings", options.settings, "hora.toml, for horad.hosts and horad.port");
    auto* const requeue =
        app.add_flag("--requeue", options.requeues, "requeue it when READY stands");
    app.add_flag("--lower-limit", options.lowers_limit,
                 "the next start gets what is left of the time limit")
        ->needs(requeue);
    app.add_option("--max-restarts", options.rules.max_restarts, "the most restarts of a job")
        ->needs(requeue);
    app.add_option("--max-time", max_time, "the longest that all its starts may run, in seconds")
        ->needs(requeue);
    auto* const step = app.add_option("--step", options.step,
                                      "its SLURM_STEP_ID: stand in that step, as a child of its "
                                      "slurmstepd; --shell is its first task here")
                           ->excludes(requeue);
    app.add_flag("--named-by-hora", options.is_named_by_hora,
                 "the folder goes where nothing was written to it");
    auto* const status =
        app.add_option("--exit-status", options.exit_status,
                       "of the script, which has ended by itself: clear up after it and end");
    app.add_flag("--remove-finished", options.removes_finished,
                 "the folder of a job that has ended with status 0 goes")
        ->needs(status);
    app.add_option("--keep", keep, "folders of other jobs that are over, in seconds (0: for ever)")
        ->needs(status);
    app.add_flag("--batch", options.asks_for_batch,
                 "print the global batch that horad has given this start, and end")
        ->excludes(requeue)
        ->excludes(step)
        ->excludes(status);
    app.add_flag("--script", options.is_script, "the step is the batch script's")->needs(step);
    app.add_option("--signal", options.signal, "asks the program for a checkpoint (USR1)")
        ->needs(step)
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, int>{{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"TERM", SIGTERM}}));
}

// Root starts it with --uid=UID as its last word (spank/process/detached.hpp): nothing else is read
// with root's rights, and once they are gone root alone can trace it.
bool take_uid(int& argc, char** argv) {
    constexpr std::string_view option = "--uid=";
    const std::string_view last = argc > 1 ? argv[argc - 1] : "";
    if (!last.starts_with(option)) {
        return true;
    }
    --argc;
    const auto uid = hora::read::parse_whole_number(last.substr(option.size()),
                                                    {0, std::numeric_limits<uid_t>::max() - 1});
    const auto own = static_cast<uid_t>(uid.value_or(0));
    return uid && setresuid(own, own, own) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (!take_uid(argc, argv)) {
        std::fputs("hora: --uid: that user's rights cannot be taken\n", stderr);
        return 2;
    }
    CLI::App app("Follows a batch job and requeues it at its checkpoints.", "hora-watch-job");
    Options options;
    options.rules = {.max_restarts = 100, .max_time = hora::Seconds(30 * 86400.0)};
    double max_time = options.rules.max_time.count();
    double keep = 0;
    describe(app, options, max_time, keep);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help
            app.exit(error);
            return hora::is_output_written("hora") ? 0 : 1;
        }
        constexpr std::size_t longest = 200;
        std::fprintf(stderr, "hora: %s\n", hora::read::printable(error.what(), longest).c_str());
        return 2;
    }
    options.rules.max_time = hora::Seconds(max_time);
    options.keep = hora::Seconds(keep);
    const bool needs_folder =
        options.requeues || options.is_named_by_hora || options.exit_status.has_value();
    if (needs_folder && options.folder.empty()) {
        std::fputs("hora: --folder is missing\n", stderr);
        return 2;
    }
    if (options.shell == 0 && !options.exit_status && !options.asks_for_batch) {
        std::fputs("hora: --shell is missing\n", stderr);
        return 2;
    }
    try {
        slurm_init(nullptr);
        if (options.asks_for_batch) {
            const int answered = hora::watch::print_batch(options.job);
            return answered == 0 && !hora::is_output_written("hora") ? 1 : answered;
        }
        if (options.exit_status) {
            return hora::watch::clear_up(options);
        }
        return options.step.empty() ? hora::watch::watch(options)
                                    : hora::watch::watch_step(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hora: %s\n", error.what());
        return 1;
    }
}
