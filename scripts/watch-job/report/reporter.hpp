// How do reports leave without anybody waiting for them? A thread of its own sends them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "plugins/slurm/guarded_thread.hpp"
#include "plugins/slurm/report/report_message.hpp"

namespace hora::watch {

class Reporter {
  public:
    // Says whether the daemon took the report.
    using Send = std::function<bool(const slurm::Report& report)>;
    using Open = std::function<Send()>;

    // `open` is called at once, and what it returns for each report, by the reporter's own thread
    // alone. An exception there ends the reports and nothing else, and so does a thread that cannot
    // be started.
    explicit Reporter(Open open);
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;
    // Gives what is still to be said a moment.
    ~Reporter();

    // Takes the place of one that has not been sent yet; sent at most every few seconds, and more
    // seldom where nobody listens.
    void tell_progress(const slurm::Report& report);
    // Sent at once.
    void tell(const slurm::Report& report);

    // Until the last report that tell() was given has been taken or refused, at most so long; says
    // whether it has.
    bool wait_until_sent(std::chrono::milliseconds limit);
    // Did the daemon take the last report that tell() was given?
    bool is_heard();
    // Why nothing is reported any more, the first time that is asked after; empty otherwise.
    std::optional<std::string> take_failure();

  private:
    using Clock = std::chrono::steady_clock;

    void run(const Open& open);
    std::optional<slurm::Report> next(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<slurm::Report> progress_;
    std::optional<slurm::Report> urgent_;
    bool is_sent_ = true;  // the last urgent one
    bool is_heard_ = false;
    bool is_ending_ = false;
    Clock::time_point not_before_;  // for progress
    std::chrono::seconds pause_;
    std::optional<std::string> failure_;  // to start the thread
    std::optional<slurm::GuardedThread> thread_;
};

}  // namespace hora::watch
