// What is the newest good snapshot? A thread of its own keeps watch; asking for it never waits.
#include "plugins/slurm/store/snapshot_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <utility>

#include "libplanner/base/blocked_signals.hpp"

namespace hora::slurm {

SnapshotStore::SnapshotStore(SnapshotSource source, Report report, Seconds period)
    : file_(std::move(source)),
      report_(std::move(report)),
      period_(period),
      stop_(std::make_unique<Stop>()),
      owner_(::getpid()) {
    const BlockedSignals blocked;
    thread_ = std::make_unique<std::thread>([this] { watch(); });
}

SnapshotStore::~SnapshotStore() {
    if (::getpid() != owner_) {
        // The thread stayed in the parent: joining it would never end, nor would destroying the
        // condition it waits for.
        static_cast<void>(thread_.release());
        static_cast<void>(stop_.release());
        return;
    }
    {
        const std::lock_guard lock(stop_->mutex);
        stop_->is_asked = true;
    }
    stop_->changed.notify_all();
    thread_->join();
}

void SnapshotStore::watch() {
    const std::chrono::duration<double> period(period_.count());
    std::unique_lock lock(stop_->mutex);
    while (!stop_->is_asked) {
        lock.unlock();
        look();
        lock.lock();
        stop_->changed.wait_for(lock, period, [this] { return stop_->is_asked; });
    }
}

void SnapshotStore::look() {
    try {
        const auto snapshot = file_.look(static_cast<std::int64_t>(std::time(nullptr)));
        current_.store(snapshot ? *snapshot : nullptr);
        if (file_.is_news()) {
            report_(snapshot.has_value(), snapshot ? fmt::format("snapshot loaded ({} nodes)",
                                                                 (*snapshot)->cluster.nodes.size())
                                                   : snapshot.error().message);
        }
    } catch (const std::exception&) {
        // No memory: without a snapshot jobs pass unchanged, and the next look may do better.
        current_.store(nullptr);
    }
}

}  // namespace hora::slurm
