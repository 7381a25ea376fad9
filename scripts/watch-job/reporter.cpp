// How do reports leave without anybody waiting for them? A thread of its own sends them.
#include "scripts/watch-job/reporter.hpp"

#include <algorithm>
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

Reporter::Reporter(Send send)
    : send_(std::move(send)), not_before_(Clock::now()), pause_(shortest_pause) {
    thread_ = std::thread([this] { run(); });
}

Reporter::~Reporter() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Reporter::tell_progress(const slurm::Report& report) {
    const std::lock_guard lock(mutex_);
    progress_ = report;
    changed_.notify_all();
}

void Reporter::tell(const slurm::Report& report) {
    const std::lock_guard lock(mutex_);
    urgent_ = report;
    is_heard_ = false;
    changed_.notify_all();
}

bool Reporter::is_heard() {
    const std::lock_guard lock(mutex_);
    return is_heard_;
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

void Reporter::run() {
    std::unique_lock lock(mutex_);
    while (const auto report = next(lock)) {
        lock.unlock();
        // Why nobody took it is of no use to the job; the daemon's log has what it refused.
        const bool is_taken = send_(*report);
        lock.lock();
        if (report->kind == slurm::ReportKind::progress) {
            pause_ = is_taken ? shortest_pause : std::min(pause_ * 2, longest_pause);
            const bool is_timed = report->step_seconds > Seconds(0);
            not_before_ = Clock::now() + (is_taken && !is_timed ? untimed_pause : pause_);
        } else {
            is_heard_ = is_taken;
        }
    }
}

}  // namespace hora::watch
