// How do reports leave without anybody waiting for them? A thread of its own sends them.
#include "scripts/watch-job/report/reporter.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace hora::watch {
namespace {

constexpr std::chrono::seconds shortest_pause(3);
// The first report knows no time of a step, and the second one is waited for.
constexpr std::chrono::milliseconds untimed_pause(300);
// No job is unheard for longer once a daemon listens again; horad resizes none that it has not
// heard.
constexpr std::chrono::seconds longest_pause(15);

}  // namespace

Reporter::Reporter(Open open) : not_before_(Clock::now()), pause_(shortest_pause) {
    try {
        thread_.emplace([this, open = std::move(open)] { run(open); }, [] {});
    } catch (const std::system_error& error) {
        failure_ = error.what();
    }
}

Reporter::~Reporter() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    if (thread_) {
        thread_->join();
    }
}

void Reporter::tell_progress(const slurm::Report& report) {
    const std::lock_guard lock(mutex_);
    progress_ = report;
    changed_.notify_all();
}

void Reporter::tell(const slurm::Report& report) {
    const std::lock_guard lock(mutex_);
    urgent_ = report;
    is_sent_ = false;
    is_heard_ = false;
    changed_.notify_all();
}

bool Reporter::wait_until_sent(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return thread_ && changed_.wait_for(lock, limit, [this] { return is_sent_; });
}

bool Reporter::is_heard() {
    const std::lock_guard lock(mutex_);
    return is_heard_;
}

std::optional<std::string> Reporter::take_failure() {
    try {
        if (thread_) {
            thread_->rethrow();
        }
    } catch (const std::exception& error) {
        failure_ = error.what();
        thread_->join();
        thread_.reset();
    }
    return std::exchange(failure_, std::nullopt);
}

// Empty where there is nothing more to be said.
std::optional<slurm::Report> Reporter::next(std::unique_lock<std::mutex>& lock) {
    while (true) {
        if (urgent_) {
            return std::exchange(urgent_, std::nullopt);
        }
        if (is_ending_) {
            return std::nullopt;
        }
        if (progress_ && Clock::now() >= not_before_) {
            return std::exchange(progress_, std::nullopt);
        }
        if (progress_) {
            changed_.wait_until(lock, not_before_);
        } else {
            changed_.wait(lock);
        }
    }
}

void Reporter::run(const Open& open) {
    const Send send = open();
    std::unique_lock lock(mutex_);
    while (const auto report = next(lock)) {
        lock.unlock();
        // Why nobody took it is of no use to the job; the daemon's log has what it refused.
        const bool is_taken = send(*report);
        lock.lock();
        if (report->kind == slurm::ReportKind::progress) {
            pause_ = is_taken ? shortest_pause : std::min(pause_ * 2, longest_pause);
            const bool is_timed = report->step_seconds > Seconds(0);
            not_before_ = Clock::now() + (is_taken && !is_timed ? untimed_pause : pause_);
        } else {
            is_heard_ = is_taken;
            is_sent_ = !urgent_;
            changed_.notify_all();
        }
    }
}

}  // namespace hora::watch
