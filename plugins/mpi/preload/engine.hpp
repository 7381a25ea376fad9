// What carries the reductions of one communicator of the program's?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "plugins/mpi/allreduce/allreduce.hpp"
#include "plugins/mpi/mpi_transport.hpp"
#include "plugins/mpi/preload/choice.hpp"

namespace hora::mpi {

// Its messages travel on a communicator of its own with the same ranks, which all of them make
// together: when the program makes its own, or else in its first blocking reduction. A non-blocking
// reduction must not wait for the others, and so needs it to be there.
//
// A request that begin() gives is one of MPI's generalized requests: whatever MPI can do with a
// request it can do with this one, in any company.
//
// Used by several threads. Only begin() and allreduce() are called by all ranks, in the same order.
class Engine {
  public:
    struct Surroundings {
        Choice choice;
        // Hold where they cannot be measured without waiting; outlive it.
        const MessageTimes* world = nullptr;
        // Only then do several threads of the program call at once.
        bool is_shared = false;
        // Requests of all engines that are not complete; outlives it.
        std::atomic<std::size_t>* pending = nullptr;
    };
    Engine(MPI_Comm program, const Surroundings& surroundings)
        : program_(program), around_(surroundings) {}
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Makes the communicator, by all ranks together.
    void make_communicator();
    // Measures its network as well.
    void prepare();
    // Once it is prepared.
    const MessageTimes& times() const { return *times_; }

    // Is there a communicator? The same on all ranks between the same two calls.
    bool takes_nonblocking();
    // Returns the pieces of it for which this rank did not wait (bypass.hpp): others that are under
    // way beside it have none.
    std::uint64_t allreduce(const Reduction& reduction);
    MPI_Request begin(const Reduction& reduction);

    enum class Await { all, any };
    // Goes on until all, or any, of these requests of its own are complete.
    void finish(std::span<const MPI_Request> requests, Await what);
    void finish_all();
    // Goes on as far as is possible without waiting. Nothing while another thread is at it.
    void progress(Urgency urgency);

    // Those of its own that are not complete.
    std::vector<MPI_Request> pending_among(std::span<const MPI_Request> requests);
    bool is_idle();
    // For the end of MPI, which frees the communicator. Nothing may be under way.
    void close();
    // Waits for what its worker has begun, after which no reduction goes on.
    void stop_worker();

  private:
    struct Pending {
        MPI_Request request;
        std::uint64_t number;
    };

    bool has_pending(MPI_Request request) const;
    void start(const MessageTimes& times);
    void go_on(Urgency urgency);
    void complete_requests();
    template <class Done>
    void wait(std::unique_lock<std::mutex>& lock, Done is_done);

    const MPI_Comm program_;
    const Surroundings around_;

    std::mutex mutex_;  // guards all that follows
    MPI_Comm own_ = MPI_COMM_NULL;
    std::optional<MessageTimes> times_;
    std::unique_ptr<Worker> worker_;  // null: additions keep messages waiting
    std::unique_ptr<MpiTransport> transport_;
    std::unique_ptr<Allreduce> allreduce_;  // from the first reduction on
    std::vector<Pending> pending_;
};

}  // namespace hora::mpi
