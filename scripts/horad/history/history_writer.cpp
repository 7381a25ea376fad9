// What has come of each resize, and how fast was each job trained?
#include "scripts/horad/history/history_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/quoted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/rescale.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/history/schema.hpp"
#include "scripts/hora/site/state_files.hpp"
#include "scripts/horad/history/lost_time.hpp"
#include "scripts/horad/log/wall_time.hpp"

namespace hora::horad {
namespace {

const std::string of_history = "history";

bool is_timed(const JobReports& reports) {
    return reports.progress && reports.progress->step_seconds > Seconds(0);
}

// Whether a file begins with the header of a history, whatever follows. Only while this process has
// no connection to it: to close a file drops SQLite's locks on it.
bool begins_as_history(const std::string& path) {
    constexpr std::string_view magic("SQLite format 3", 16);  // with its zero
    constexpr std::size_t id_at = 68;  // big-endian; sqlite.org/fileformat.html, 1.3
    std::array<unsigned char, id_at + 4> header{};
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : ::pread(file, header.data(), header.size(), 0);
    if (file >= 0) {
        ::close(file);
    }
    std::uint32_t id = 0;
    for (std::size_t i = id_at; i < header.size(); ++i) {
        id = id << 8U | header[i];
    }
    return size == static_cast<ssize_t>(header.size()) &&
           std::equal(magic.begin(), magic.end(), header.begin()) &&
           id == static_cast<std::uint32_t>(history::schema.application_id);
}

bool is_over(const JobReports& reports, const ObservedJob* job) {
    return reports.has_ended || reports.checkpoint || job == nullptr ||
           job->state == slurm::JobState::ended || job->restarts != reports.restarts;
}

}  // namespace

HistoryWriter::HistoryWriter(const read::Settings& settings, Log& log, Now steady)
    : path_(settings.get<std::string>("history.path")),
      log_(log),
      settings_(settings),
      steady_(std::move(steady)),
      born_(wall_time()) {}

void HistoryWriter::take(const read::Settings& settings) {
    settings_ = settings;
    next_digest_ = {};
    next_forget_ = {};
}

Expected<history::Database> HistoryWriter::open() {
    auto opened = history::Database::open(path_, history::Access::write, rights_.mode,
                                          [this](const Error& damage) { damage_ = damage; });
    if (!opened) {
        return opened;
    }
    // Not before it is known to be Hora's: the setting may name any file by mistake.
    if (const auto applied = scripts::apply_rights(path_, rights_); !applied) {
        return unexpected(applied.error());
    }
    return opened;
}

history::Database* HistoryWriter::database() {
    constexpr std::chrono::seconds pause{60};
    const Clock::time_point now = steady_();
    if (damage_) {
        database_.reset();
        begin_anew(*std::exchange(damage_, std::nullopt));
    }
    if (!database_ && now >= next_try_) {
        next_try_ = now + pause;
        auto opened = open();
        const auto damage = std::exchange(damage_, std::nullopt);
        if (!opened && damage) {
            if (begins_as_history(path_)) {
                begin_anew(*damage);
                opened = open();
            } else {
                opened = failure(fmt::format(
                    "{} does not begin as a history of Hora does, and is left as it is; name "
                    "another path in history.path, or move the file away",
                    read::quoted(path_)));
            }
        }
        if (opened) {
            database_.emplace(*std::move(opened));
        } else {
            log_.trouble(of_history, opened.error().message);
        }
    }
    return database_ ? &*database_ : nullptr;
}

void HistoryWriter::begin_anew(const Error& damage) {
    next_try_ = {};
    next_digest_ = {};
    if (const auto aside = scripts::set_aside(path_)) {
        log_.warning(
            fmt::format("{}; it is now {}, and with it what was measured and the plans "
                        "of jobs whose AdminComment has only their key",
                        damage.message, read::quoted(*aside)));
    } else {
        log_.trouble(of_history, damage.message + "; " + aside.error().message);
    }
}

// Damage is said once the file is set aside; until then somebody above us may still use it.
void HistoryWriter::complain(const Error& error) {
    if (!damage_) {
        log_.trouble(of_history, error.message);
    }
}

void HistoryWriter::complain(const Expected<void>& done) {
    if (done) {
        log_.fine(of_history, "the history is written again");
        next_digest_ = std::min(next_digest_, soonest_digest_);
    } else {
        complain(done.error());
    }
}

void HistoryWriter::record(const Resized& resized) {
    const Resize& resize = resized.entry.resize;
    ++endings_[static_cast<std::size_t>(resized.ending)];
    const bool has_failed = resized.ending != Ending::done && resized.ending != Ending::pending &&
                            resized.ending != Ending::suspended &&
                            resized.ending != Ending::released;
    if (has_failed) {
        failed_.push_back(resized);
    }
    std::string line =
        fmt::format("job {}: {} ({}): {}", resize.job, kind_of(resize), reason_of(resize),
                    report::words_of_outcome(name_of(resized.ending)));
    if (resized.entry.ready > 0 && resized.first_step > resized.entry.ready) {
        line += fmt::format(", {:.1f} s from the checkpoint to the first step",
                            resized.first_step - resized.entry.ready);
    }
    log_.note(resized.remark.empty() ? line : line + ": " + resized.remark);
    const auto first = submitted_.find(resize.job);
    const history::Rescale row =
        row_of(resized, first == submitted_.end() ? resized.entry.submitted : first->second);
    if (resized.ending == Ending::done || resized.ending == Ending::other_size) {
        open_[resize.job] = row;
    }
    if (history::Database* const kept = database()) {
        complain(kept->record(row));
    }
}

bool HistoryWriter::finish(history::Rescale& row, const JobReports& reports) {
    // Of the newest steps the median is taken: the first ones are slower.
    constexpr std::uint64_t enough_steps = 16;
    const history::Rescale before = row;
    if (reports.before && reports.before->progress.step_seconds > Seconds(0)) {
        row.step_before = reports.before->progress.step_seconds;
    }
    const bool is_known = steps_of_start(reports) >= enough_steps;
    if (is_timed(reports) && (is_known || !row.step_after)) {
        row.step_after = reports.progress->step_seconds;
        // Where a report is missing it is not known: 0 would make the next restart look free.
        if (const auto lost = time_lost_by_restart(reports)) {
            row.lost = lost;
        }
    }
    const bool is_news =
        row.step_after && (before.step_after != row.step_after || before.lost != row.lost);
    if (is_news && database() != nullptr) {
        complain(database()->record(row));
    }
    if (is_known && row.step_before && row.step_after) {
        log_.note(
            fmt::format("job {}: {} to {} GPUs cost {} of training; a step takes {} instead "
                        "of {}",
                        row.of.job, row.from, row.to,
                        row.lost ? report::duration(*row.lost) : "an unknown amount",
                        report::duration(*row.step_after), report::duration(*row.step_before)));
    }
    return is_known;
}

void HistoryWriter::finish_rescales(const std::map<std::uint32_t, JobReports>& reports) {
    for (auto one = open_.begin(); one != open_.end();) {
        history::Rescale& row = one->second;
        const auto found = reports.find(one->first);
        const bool is_gone = found == reports.end() || found->second.restarts > row.of.restarts + 1;
        const bool is_next = !is_gone && found->second.restarts == row.of.restarts + 1;
        one = is_gone || (is_next && finish(row, found->second)) ? open_.erase(one) : ++one;
    }
}

// Keeps what Slurm will have forgotten when the start is over.
void HistoryWriter::note(const ObservedJob& job, const Observation& seen) {
    NotedStart& start = starts_[job.id];
    const bool is_same = start.memory && start.restarts == job.restarts &&
                         start.memory->decision.submitted == job.memory->decision.submitted;
    // What an administrator writes while it runs is for the next one.
    HeldSize size{.gpus = job.gpus,
                  .nodes = job.shape.nodes,
                  .where = job.where,
                  .batch = is_same ? start.size.batch
                                   : slurm::batch_of_start(job.admin_comment, job.memory->options)};
    if (is_same && start.size == size) {
        return;
    }
    if (!is_same) {
        start = {};
    }
    start.restarts = job.restarts;
    start.uid = job.uid;
    start.started = job.started;
    start.memory = job.memory;
    start.predicted = predicted_step(*job.memory, size, *seen.cluster, settings_);
    start.size = std::move(size);
}

// A requeue changes Slurm's time of submission; the one that Hora wrote down stays.
void HistoryWriter::note_submissions(const Observation& seen,
                                     const std::map<std::uint32_t, JobReports>& reports) {
    for (const ObservedJob& job : seen.jobs) {
        if (job.memory && job.memory->decision.submitted != 0) {
            submitted_[job.id] = job.memory->decision.submitted;
        }
    }
    std::erase_if(submitted_, [&](const auto& one) {
        return seen.find(one.first) == nullptr && !reports.contains(one.first);
    });
}

// An earlier daemon may have heard more of this start.
void HistoryWriter::put_before(history::Sample& row, bool has_heard_all) const {
    if (!has_heard_all) {
        row.lost.reset();
    }
    const auto found = written_before_.find(static_cast<std::uint32_t>(row.of.job));
    if (found != written_before_.end() && found->second.of == row.of) {
        row.steps = std::max(row.steps, found->second.steps);
        row.lost = row.lost ? row.lost : found->second.lost;
        row.late = row.late ? row.late : found->second.late;
    }
}

void HistoryWriter::record(const Observation& seen,
                           const std::map<std::uint32_t, JobReports>& reports) {
    constexpr std::chrono::seconds pause{60};
    const Clock::time_point now = steady_();
    std::vector<history::Sample> rows;
    note_submissions(seen, reports);
    std::erase_if(starts_, [&](const auto& entry) { return !reports.contains(entry.first); });
    for (const auto& [id, of_job] : reports) {
        const ObservedJob* const job = seen.find(id);
        if (job != nullptr && job->memory && job->holds_nodes() &&
            job->restarts == of_job.restarts) {
            note(*job, seen);
        }
        const auto found = starts_.find(id);
        if (found == starts_.end() || found->second.restarts != of_job.restarts ||
            !is_timed(of_job)) {
            continue;
        }
        NotedStart& start = found->second;
        const std::uint64_t steps = steps_of_start(of_job);
        const bool is_due = !start.written || steps >= 2 * start.steps ||
                            now - *start.written >= pause || is_over(of_job, job);
        if (is_due && (!start.written || steps > start.steps)) {
            start.written = now;
            start.steps = steps;
            rows.push_back(row_of(id, start, of_job, seen.now));
            put_before(rows.back(), start.started >= born_);
        }
    }
    history::Database* const kept = rows.empty() ? nullptr : database();
    if (kept != nullptr) {
        complain(kept->record(rows));
    }
    finish_rescales(reports);
    std::erase_if(written_before_,
                  [&](const auto& one) { return seen.find(one.first) == nullptr; });
}

std::map<std::uint32_t, std::vector<TimedSteps>> HistoryWriter::timed_before(
    const Observation& seen) {
    std::map<std::uint32_t, std::vector<TimedSteps>> timed;
    history::Database* const kept = database();
    for (const ObservedJob& job : seen.jobs) {
        if (kept == nullptr || !job.memory || job.is_over()) {
            continue;
        }
        const auto samples =
            kept->samples({.job = job.id, .uid = job.uid, .since = {}, .most = 1000});
        if (!samples) {
            complain(samples.error());
            break;
        }
        for (const history::Sample& one : *samples) {
            if (one.of.submitted == job.memory->decision.submitted) {
                if (one.of.restarts == job.restarts) {
                    written_before_[job.id] = one;
                }
                timed[job.id].push_back({one.gpus, one.nodes, one.step,
                                         static_cast<double>(one.steps),
                                         job.memory->options.max_batch ? one.batch : 0});
            }
        }
    }
    return timed;
}

std::int64_t HistoryWriter::oldest(history::Database& kept, std::int64_t now) {
    const auto first = kept.oldest();
    if (!first) {
        complain(first.error());
    }
    const std::chrono::duration<double> steady = steady_().time_since_epoch();
    return retention_.oldest(now, settings_.get<Seconds>("history.keep"),
                             first.value_or(std::nullopt), Seconds(steady.count()));
}

void HistoryWriter::forget(std::int64_t now, const LivingPlans& living) {
    constexpr std::chrono::seconds pause{600};
    if (steady_() < next_forget_) {
        return;
    }
    next_forget_ = steady_() + pause;
    if (history::Database* const kept = database()) {
        const std::int64_t until = oldest(*kept, now);
        const auto more_rows = kept->forget(until);
        const auto more_plans =
            more_rows ? kept->forget_plans(until, living(), now) : unexpected(more_rows.error());
        if (!more_plans) {
            complain(more_plans.error());
        } else if (*more_rows || *more_plans) {
            next_forget_ = steady_() + std::chrono::seconds(1);
        }
    }
}

const history::Digest& HistoryWriter::digest(std::int64_t now) {
    constexpr std::chrono::seconds longest_pause{600};
    constexpr std::chrono::seconds shortest_pause{5};
    constexpr int share_of_time = 100;  // a hundredth of its time at most
    const Clock::time_point begin = steady_();
    if (begin < next_digest_) {
        return digest_;
    }
    if (history::Database* const kept = database()) {
        if (auto made = history::digest(*kept, oldest(*kept, now))) {
            digest_ = *std::move(made);
        } else {
            complain(made.error());
        }
    }
    const Clock::time_point end = steady_();
    next_digest_ = end + longest_pause;
    soonest_digest_ =
        end + std::max<Clock::duration>(shortest_pause, (end - begin) * share_of_time);
    return digest_;
}

}  // namespace hora::horad
