// Which calls have begun and not ended, by their requests?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "plugins/mpi/record/lines.hpp"

namespace hora::mpi {

struct Communicator;

// A call, from when it began until its line is written.
struct BegunCall {
    Communicator* communicator = nullptr;  // null: it is not recorded
    const char* operation = nullptr;
    std::uint64_t bytes = 0;
    int peer = no_peer;  // or MPI_ANY_SOURCE, until its status says
    std::uint64_t sequence = 0;
    Nanoseconds begin = 0;
    std::uint64_t ahead = 0;  // CallLine::ahead
};

// MPI gives one request to several calls that were done at once (ompi_request_empty of Open MPI):
// the first of them ends first. Used by several threads.
class PendingCalls {
  public:
    void add(MPI_Request request, const BegunCall& call) {
        const std::lock_guard lock(mutex_);
        calls_.emplace(request, call);
        count_ = calls_.size();
    }

    // It was taken and is not over: it stays before those that were added after it.
    void put_back(MPI_Request request, const BegunCall& call) {
        const std::lock_guard lock(mutex_);
        calls_.emplace_hint(calls_.lower_bound(request), request, call);
        count_ = calls_.size();
    }

    std::optional<BegunCall> take(MPI_Request request) {
        if (count_ == 0) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        const auto found = calls_.lower_bound(request);
        if (found == calls_.end() || found->first != request) {
            return std::nullopt;
        }
        const BegunCall call = found->second;
        calls_.erase(found);
        count_ = calls_.size();
        return call;
    }

    bool is_empty() const { return count_ == 0; }

  private:
    std::mutex mutex_;
    std::multimap<MPI_Request, BegunCall> calls_;  // keeps those of one request in order
    std::atomic<std::size_t> count_ = 0;
};

}  // namespace hora::mpi
