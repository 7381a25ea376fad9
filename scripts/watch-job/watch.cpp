// What happens beside a job while its batch script runs?
#include "scripts/watch-job/watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>

#include "libplanner/read/file.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/jobs/job_end.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/spank/process/process_descriptor.hpp"
#include "scripts/watch-job/clear_up.hpp"
#include "scripts/watch-job/report/event_log.hpp"
#include "scripts/watch-job/report/folder_events.hpp"
#include "scripts/watch-job/report/late_ranks.hpp"
#include "scripts/watch-job/report/progress_tail.hpp"
#include "scripts/watch-job/report/report_sender.hpp"
#include "scripts/watch-job/report/reporter.hpp"
#include "scripts/watch-job/requeue/requeue.hpp"
#include "scripts/watch-job/requeue/start_list.hpp"

namespace hora::watch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_every(1000);
// The line of a later start may be another job's, in a folder that its owner uses again.
constexpr std::chrono::seconds question_pause(5);
// A program waits 60 s for its end and then trains on.
constexpr std::chrono::seconds longest_unanswered(60);
// What the daemon, if it took the report of the checkpoint, gets to set the job's new size.
constexpr int grace_of_daemon = 10;  // seconds

constexpr std::chrono::milliseconds answer_limit(2000);  // of each host
// The requeue may kill this program with the job. What has been sent by then, horad can go by where
// slurmctld, killed at that moment, forgets the requeue and takes the end of the start for the
// job's. Milliseconds where horad answers.
constexpr std::chrono::milliseconds checkpoint_limit(1000);

std::optional<slurm::ReportPlace> find_place(const std::string& settings_file) {
    read::Settings settings;
    if (!settings_file.empty() && access(settings_file.c_str(), R_OK) == 0) {
        const auto text = read::read_file(settings_file);
        settings = text ? read::read_settings(*text, settings_file).value_or(settings) : settings;
    }
    const auto configuration = slurm::load_configuration();
    return configuration ? std::optional(slurm::report_place(settings, **configuration))
                         : std::nullopt;
}

ReportSender sender_for(const std::string& settings_file) {
    return {[settings_file] { return find_place(settings_file); },
            [](const slurm::Report& report, const slurm::ReportPlace& place) {
                return slurm::send_report(report, place, answer_limit).has_value();
            }};
}

class Watch {
  public:
    Watch(const Options& options, int shell)
        : options_(options),
          shell_(shell),
          log_(options.requeues ? options.folder : std::string(), options.restarts),
          tail_(options.progress),
          late_ranks_(options.folder, options.restarts),
          events_(options.requeues ? options.folder : std::string()),
          reporter_([settings = options.settings] { return sender_for(settings); }) {}

    void run() {
        if (options_.requeues) {
            remove_earlier_ready();
            note({options_.restarts, 0, Seconds(0)});
            look_at_start();
        }
        while (!script_ends()) {
            events_.take();
            note_unheard();
            follow_progress();
            if (options_.requeues && (is_replaced() || answer_ready())) {
                return;
            }
        }
        reporter_.tell(report(slurm::ReportKind::ended));
        if (options_.requeues) {
            end_what_is_left(mark());
        }
        if (options_.is_named_by_hora) {
            clear_unused(options_);
        }
    }

  private:
    // Waits until there is something to look at; true when the script is over.
    bool script_ends() const {
        std::array<pollfd, 2> waits{{{shell_, POLLIN, 0}, {events_.descriptor(), POLLIN, 0}}};
        const int ready = poll(waits.data(), waits.size(), static_cast<int>(look_every.count()));
        return ready > 0 && waits[0].revents != 0;
    }

    slurm::Report report(slurm::ReportKind kind) const {
        slurm::Report report;
        report.job = options_.job;
        report.restarts = options_.restarts;
        report.kind = kind;
        return report;
    }

    void note_unheard() {
        if (const auto why = reporter_.take_failure()) {
            log_.write(fmt::format("no report reaches horad any more: {}", *why));
        }
    }

    void follow_progress() {
        if (!tail_.look()) {
            return;
        }
        look_at_start();
        first_step_ = first_step_.value_or(tail_.newest()->step);
        late_ranks_.look(tail_.newest()->step - std::min(*first_step_, tail_.newest()->step));
        slurm::Report progress = report(slurm::ReportKind::progress);
        progress.step = tail_.newest()->step;
        progress.epoch = tail_.newest()->epoch;
        progress.samples = tail_.newest()->samples;
        progress.step_seconds = tail_.step_seconds();
        progress.gpus = holding_ ? holding_->gpus : 0;
        progress.nodes = holding_ ? holding_->nodes : 0;
        progress.noise_scale = tail_.noise_scale();
        progress.late = late_ranks_.of_step();
        reporter_.tell_progress(progress);
    }

    // Until slurmctld has answered: this start is the one that runs now.
    void look_at_start() { holding_ = holding_ ? holding_ : holding_of(options_.job); }

    JobMark mark() const {
        return {options_.cluster, options_.job, options_.restarts, holding_ ? holding_->began : 0};
    }

    // The script has not begun. A slurmctld that was killed may have counted an earlier start as it
    // counts this one.
    void remove_earlier_ready() const {
        const auto ready = find_ready(options_.folder);
        if (ready && ready->restarts == options_.restarts) {
            remove_ready(options_.folder);
        }
    }

    void note(const PastStart& start) const {
        if (const auto noted = note_start(options_.folder, start); !noted) {
            log_.write(noted.error().message);
        }
    }

    // Two starts at once would write over each other's checkpoints. A later one has left its line
    // in the folder that they share.
    bool is_replaced() {
        if (Clock::now() < next_question_) {
            return false;
        }
        next_question_ = Clock::now() + question_pause;
        const auto starts = load_starts(options_.folder);
        const bool is_other = !starts.empty() && starts.back().restarts > options_.restarts;
        if (!is_other || !end_if_replaced(mark(), options_.shell)) {
            return false;
        }
        log_.write(fmt::format("ended: the job is in start {} by now", starts.back().restarts));
        return true;
    }

    // True when the job has been requeued, or READY is for the next start to answer.
    bool answer_ready() {
        const auto ready = find_ready(options_.folder);
        if (!ready || ready->restarts != options_.restarts) {
            waiting_since_.reset();
            return false;
        }
        if (!waiting_since_) {
            waiting_since_ = Clock::now();
            slurm::Report checkpoint = report(slurm::ReportKind::checkpoint);
            checkpoint.step = ready->step;
            reporter_.tell(checkpoint);
            reporter_.wait_until_sent(checkpoint_limit);
        }
        const Attempt attempt = try_requeue(*ready);
        if (attempt.outcome == Outcome::requeued) {
            log_.write(fmt::format("requeued at the checkpoint of step {}", ready->step));
            if (is_killed_with_job()) {
                return true;
            }
            begin_soon(options_.job, attempt.run, reporter_.is_heard() ? grace_of_daemon : 0,
                       options_.lowers_limit ? attempt.limit : std::nullopt);
            return true;
        }
        if (attempt.outcome == Outcome::replaced) {
            log_.write(attempt.why);
            return true;
        }
        const bool is_final = attempt.outcome == Outcome::refused ||
                              Clock::now() - *waiting_since_ > longest_unanswered;
        if (is_final) {
            log_.write(fmt::format("not requeued at the checkpoint of step {}: {}", ready->step,
                                   attempt.why));
            remove_ready(options_.folder);
            waiting_since_.reset();
        }
        return false;
    }

    // Before it could see to anything; and while this program lives slurmstepd waits for it.
    static bool is_killed_with_job() { return slurm::tracks_by_cgroups().value_or(false); }

    Attempt try_requeue(const Ready& ready) const {
        const Seconds ran(std::chrono::duration<double>(Clock::now() - began_).count());
        const auto allowed = may_requeue(ready, ran, load_starts(options_.folder), options_.rules);
        if (!allowed) {
            return {Outcome::refused, allowed.error().message};
        }
        // Before the requeue, which may end this program too.
        note({ready.restarts, ready.step, ran});
        return requeue(mark(), options_.shell);
    }

    const Options& options_;
    const int shell_;
    const Clock::time_point began_ = Clock::now();
    EventLog log_;
    ProgressTail tail_;
    LateRanks late_ranks_;
    std::optional<std::uint64_t> first_step_;  // that this start reported
    FolderEvents events_;
    Reporter reporter_;
    std::optional<Holding> holding_;                  // empty: slurmctld has not said
    Clock::time_point next_question_;                 // whether the job is in a later start
    std::optional<Clock::time_point> waiting_since_;  // READY stands, and nothing has come of it
};

}  // namespace

int watch(const Options& options) {
    const slurm::Descriptor shell = options.shell_descriptor >= 0
                                        ? slurm::Descriptor(options.shell_descriptor)
                                        : spank::open_process(options.shell);
    if (!shell.is_open()) {
        std::fprintf(stderr, "hora: process %d is not there\n", static_cast<int>(options.shell));
        return 1;
    }
    try {
        Watch(options, shell.number()).run();
    } catch (const std::exception& error) {
        const EventLog log(options.requeues ? options.folder : std::string(), options.restarts);
        log.write(fmt::format("not requeued at any checkpoint from here on: {}", error.what()));
        throw;
    }
    return 0;
}

}  // namespace hora::watch
