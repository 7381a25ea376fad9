// Adds and copies on threads of its own.
#include "plugins/mpi/allreduce/thread_worker.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "libplanner/base/blocked_signals.hpp"

namespace hora::mpi {

ThreadWorker::ThreadWorker(std::size_t shortest) : shortest_(shortest) {}

ThreadWorker::~ThreadWorker() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    for (Desk& desk : desks_) {
        desk.changed.notify_one();
        if (desk.thread.joinable()) {
            desk.thread.join();
        }
    }
}

bool ThreadWorker::is_full() const {
    return std::ranges::all_of(desks_, [](const Desk& it) { return it.state != State::free; });
}

std::uint64_t ThreadWorker::begin(Work work) {
    auto* const desk =
        std::ranges::find_if(desks_, [](const Desk& it) { return it.state == State::free; });
    const bool is_short = work.count * size_of(work.element) < shortest_;
    desk->work = std::move(work);
    if (!is_short && may_start_ && !desk->thread.joinable()) {
        start(*desk);
    }
    if (is_short || !desk->thread.joinable()) {
        perform(desk->work);
        desk->state = State::done;
    } else {
        {
            const std::lock_guard lock(mutex_);
            desk->state = State::begun;
        }
        desk->changed.notify_one();
    }
    return static_cast<std::uint64_t>(desk - desks_.begin());
}

void ThreadWorker::start(Desk& desk) {
    const BlockedSignals blocked;
    try {
        desk.thread = std::thread([this, &desk] { run(desk); });
    } catch (const std::system_error&) {
        // The limit of threads is reached: additions keep messages waiting, as without threads.
        may_start_ = false;
    }
}

void ThreadWorker::run(Desk& desk) {
    std::unique_lock lock(mutex_);
    while (true) {
        desk.changed.wait(lock, [&] { return stops_ || desk.state == State::begun; });
        if (desk.state != State::begun) {
            return;
        }
        lock.unlock();
        perform(desk.work);
        desk.state = State::done;
        lock.lock();
    }
}

bool ThreadWorker::take_done(std::uint64_t number) {
    Desk& desk = desks_[number];
    const bool is_done = desk.state == State::done;
    if (is_done) {
        desk.state = State::free;
    }
    return is_done;
}

bool ThreadWorker::has_done() const {
    return std::ranges::any_of(desks_, [](const Desk& it) { return it.state == State::done; });
}

}  // namespace hora::mpi
