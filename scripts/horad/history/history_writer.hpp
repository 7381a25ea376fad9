// What has come of each resize, and how fast was each job trained?
//
// settings: cost.* history.keep history.path
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/settings/settings.hpp"
#include "scripts/history/database.hpp"
#include "scripts/history/digest.hpp"
#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/horad/history/history_row.hpp"
#include "scripts/horad/history/retention.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// Counts, logs, and writes the history. Without a history everything goes on.
class HistoryWriter : public ResizeHistory {
  public:
    using Clock = std::chrono::steady_clock;
    // Pauses go by a clock that nobody sets.
    using Now = std::function<Clock::time_point()>;

    HistoryWriter(const read::Settings& settings, Log& log, Now steady = Clock::now);

    void take(const read::Settings& settings);

    void record(const Resized& resized) override;
    // The times of the jobs' steps, a row each start: at first when the steps have doubled, then
    // once a minute, and when the start is over. To be called before reports of jobs that have
    // ended are forgotten.
    void record(const Observation& seen, const std::map<std::uint32_t, JobReports>& reports);

    // What earlier daemons timed of the jobs that have not ended.
    std::map<std::uint32_t, std::vector<TimedSteps>> timed_before(const Observation& seen);

    // The keys of the plans of jobs that live, asked for when it is time to forget.
    using LivingPlans = std::function<std::vector<std::string>()>;
    // Forgets what is older than history.keep, a little at each call. `now`: seconds since the
    // epoch.
    void forget(std::int64_t now, const LivingPlans& living);

    // Null while it cannot be opened.
    history::Database* database();

    // What plans are to take into account: looked up anew soon after something was written, and
    // every ten minutes.
    const history::Digest& digest(std::int64_t now);

    // Of the history, from when it is opened the next time.
    void set_rights(scripts::FileRights rights) { rights_ = rights; }

    const std::array<std::uint64_t, std::size(ending_names)>& endings() const { return endings_; }
    // Resizes that came to nothing, or to something else, since this was asked last.
    std::vector<Resized> take_failed() { return std::exchange(failed_, {}); }

  private:
    // Seconds since the epoch: what is older counts no more.
    std::int64_t oldest(history::Database& kept, std::int64_t now);
    Expected<history::Database> open();
    void begin_anew(const Error& damage);
    void complain(const Expected<void>& done);
    void complain(const Error& error);
    void note(const ObservedJob& job, const Observation& seen);
    void note_submissions(const Observation& seen,
                          const std::map<std::uint32_t, JobReports>& reports);
    void put_before(history::Sample& row, bool has_heard_all) const;
    void finish_rescales(const std::map<std::uint32_t, JobReports>& reports);
    // Whether all of it is known.
    bool finish(history::Rescale& row, const JobReports& reports);

    const std::string path_;
    Log& log_;
    read::Settings settings_;
    const Now steady_;
    std::int64_t born_;  // what came before was not heard
    std::optional<history::Database> database_;
    Clock::time_point next_try_;
    scripts::FileRights rights_;
    std::optional<Error> damage_;  // found since it was opened
    history::Digest digest_;
    Clock::time_point next_digest_;
    Clock::time_point soonest_digest_;
    Clock::time_point next_forget_;
    Retention retention_;
    std::array<std::uint64_t, std::size(ending_names)> endings_{};
    std::map<std::uint32_t, NotedStart> starts_;
    std::map<std::uint32_t, std::int64_t> submitted_;          // by job: seconds since the epoch
    std::map<std::uint32_t, history::Sample> written_before_;  // by an earlier daemon
    std::map<std::uint32_t, history::Rescale> open_;  // by job: what it gained is not known yet
    std::vector<Resized> failed_;
};

}  // namespace hora::horad
