// What becomes of an exception in a thread: how does the process go on, or end in order, and not at
// once?
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace hora::slurm {

// A thread whose exception another one takes up.
class GuardedThread {
  public:
    // `on_failure` is called, in the thread, once rethrow() would throw.
    GuardedThread(std::function<void()> work, std::function<void()> on_failure)
        : work_(std::move(work)), on_failure_(std::move(on_failure)), thread_([this] { run(); }) {}

    void join() { thread_.join(); }

    // What the work has ended by; nothing while it goes on or after it is done.
    void rethrow() const {
        if (has_failed_) {
            std::rethrow_exception(thrown_);
        }
    }

  private:
    void run() {
        try {
            work_();
        } catch (...) {
            thrown_ = std::current_exception();
            has_failed_ = true;
            on_failure_();
        }
    }

    std::function<void()> work_;
    std::function<void()> on_failure_;
    std::exception_ptr thrown_;  // written before has_failed_
    std::atomic<bool> has_failed_ = false;
    std::thread thread_;
};

}  // namespace hora::slurm
