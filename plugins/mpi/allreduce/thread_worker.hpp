// Adds and copies on threads of its own.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "plugins/mpi/allreduce/worker.hpp"

namespace hora::mpi {

// Two threads: where one is late, the other goes on. Each begins with its first work and sleeps
// while it has none; they handle none of the program's signals. What is shorter than `shortest`, or
// finds no thread, is done at once.
class ThreadWorker final : public Worker {
  public:
    explicit ThreadWorker(std::size_t shortest);
    // Waits for what is under way.
    ~ThreadWorker() override;
    ThreadWorker(const ThreadWorker&) = delete;
    ThreadWorker& operator=(const ThreadWorker&) = delete;

    bool is_full() const override;
    std::uint64_t begin(Work work) override;
    bool take_done(std::uint64_t number) override;
    bool has_done() const override;

  private:
    enum class State { free, begun, done };
    struct Desk {
        std::atomic<State> state = State::free;
        Work work{};  // the thread's while it is begun
        std::condition_variable changed{};
        std::thread thread{};
    };

    void start(Desk& desk);
    void run(Desk& desk);

    const std::size_t shortest_;  // bytes
    std::array<Desk, 2> desks_;
    std::mutex mutex_;
    bool may_start_ = true;  // a thread; false once there was none to be had
    bool stops_ = false;     // guarded by mutex_
};

}  // namespace hora::mpi
