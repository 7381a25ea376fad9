// How do reports leave without anybody waiting for them? A thread of its own sends them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "plugins/slurm/report_message.hpp"

namespace hora::watch {

class Reporter {
  public:
    // Called by the reporter's own thread alone; says whether the daemon took the report.
    using Send = std::function<bool(const slurm::Report& report)>;

    explicit Reporter(Send send);
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;
    // Gives what is still to be said a moment.
    ~Reporter();

    // Takes the place of one that has not been sent yet; sent at most every few seconds, and more
    // seldom where nobody listens.
    void tell_progress(const slurm::Report& report);
    // Sent at once.
    void tell(const slurm::Report& report);

    // Did the daemon take the last report that tell() was given?
    bool is_heard();

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    std::optional<slurm::Report> next(std::unique_lock<std::mutex>& lock);

    const Send send_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<slurm::Report> progress_;
    std::optional<slurm::Report> urgent_;
    bool is_heard_ = false;
    bool is_ending_ = false;
    Clock::time_point not_before_;  // for progress
    std::chrono::seconds pause_;
    std::thread thread_;
};

}  // namespace hora::watch
