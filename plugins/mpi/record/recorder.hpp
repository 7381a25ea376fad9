// What is recorded of an MPI program's communication, and where?
//
// environment: HORA_TRACE_DIR HORA_PROGRESS
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "plugins/mpi/record/pending_calls.hpp"
#include "plugins/mpi/record/progress_tail.hpp"
#include "plugins/mpi/record/record_file.hpp"

namespace hora::mpi {

// A communicator of the program's, as the record knows it. Calls outlive it.
struct Communicator {
    std::string name;
    std::atomic<std::uint64_t> collectives = 0;
    std::atomic<std::uint64_t> others = 0;
};

// What a call is, before it begins.
struct Description {
    const char* operation = nullptr;  // null: it is not to be recorded
    MPI_Comm communicator = MPI_COMM_NULL;
    std::uint64_t bytes = 0;
    int peer = no_peer;  // or MPI_ANY_SOURCE, or MPI_PROC_NULL: then it is not recorded
};

// One process's record (hora-trace(5)), a file in the folder that HORA_TRACE_DIR names, which is
// made, 0700, where it is not there. Whatever fails, the program goes on: a warning says that its
// record ends. Calls in communicators between two groups, and with processes that are not of this
// MPI_COMM_WORLD, are not recorded.
//
// A communicator's name says its ranks of MPI_COMM_WORLD, and its number among those with the same
// ranks: all of its ranks find it without a message where all make their communicators in one
// order. Used by several threads.
class Recorder {
  public:
    // After MPI has begun, by all ranks together. `variable` gives an environment variable or null.
    void start(const std::function<const char*(const char*)>& variable);
    // Before MPI ends.
    void stop();

    bool is_on() const { return is_on_.load(std::memory_order_relaxed); }

    // The program has made a communicator, by all of its ranks together.
    void expect(MPI_Comm communicator);

    BegunCall begin(const Description& description);
    // It is over; `source` where only its status names the peer.
    void end(BegunCall call, int source);
    // It is over when the request is.
    void end_later(const BegunCall& call, MPI_Request request) { pending_.add(request, call); }
    PendingCalls& pending() { return pending_; }

  private:
    int open(const std::string& folder, int rank);
    void find_nodes();
    Communicator* communicator_of(MPI_Comm handle);
    Communicator* add(MPI_Comm handle);  // under mutex_
    std::string name_of(std::span<const int> ranks);
    int count_nodes(std::span<const int> ranks) const;
    void append(std::string_view line);
    void look_for_steps(Nanoseconds time);

    std::atomic<bool> is_on_ = false;
    int attribute_ = MPI_KEYVAL_INVALID;
    std::atomic<Communicator*> world_ = nullptr;
    std::vector<int> node_of_;  // by rank of MPI_COMM_WORLD; empty: not known
    std::string path_;
    RecordFile file_;
    PendingCalls pending_;

    std::mutex mutex_;  // guards all that follows
    std::vector<std::unique_ptr<Communicator>> communicators_;
    std::map<std::string, unsigned> made_;  // names without their numbers

    std::mutex progress_mutex_;  // guards all that follows
    ProgressTail progress_;
    std::atomic<Nanoseconds> next_look_ = 0;
};

// The process's. Never destroyed: threads may run when the program ends without MPI_Finalize.
Recorder& recorder();

// The requests of a call that completes some: which of them are recorded calls, and which are over
// then. What is not said to be over stays pending, unless its request is no longer in its place: a
// call that fails may free it, and MPI may give it to another call.
class Completions {
  public:
    // The requests outlive it; MPI may change them meanwhile.
    explicit Completions(std::span<const MPI_Request> requests);
    Completions(const Completions&) = delete;
    Completions& operator=(const Completions&) = delete;
    ~Completions();

    bool are_any() const { return !calls_.empty(); }
    // Does only a status tell with whom one of them was?
    bool need_status() const;

    // All of them, the one of that index, those of these indices; `source_of` gives the source by
    // the place in the list of statuses.
    using SourceOf = std::function<int(std::size_t)>;
    void end_all(const SourceOf& source_of);
    void end_one(int index, const SourceOf& source_of);
    void end_some(std::span<const int> indices, const SourceOf& source_of);

  private:
    struct Call {
        std::size_t index;
        MPI_Request request;
        BegunCall call;
        bool is_over = false;
    };
    void end_at(std::size_t index, int source);

    const std::span<const MPI_Request> requests_;
    std::vector<Call> calls_;
};

}  // namespace hora::mpi
