// What does the library know from MPI_Init to MPI_Finalize?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "plugins/mpi/preload/choice.hpp"
#include "plugins/mpi/preload/engine.hpp"

namespace hora::mpi {

// What is guaranteed of a non-blocking reduction: it goes on whatever its ranks do meanwhile (wait
// for something else, compute, call what is not intercepted), as MPI's rule of progress demands and
// more. A thread sees to it that sleeps while none is under way, and looks every 0.1 ms then. So
// MPI must allow several threads to call (MPI_THREAD_MULTIPLE), which the library asks of it in the
// program's stead; where it does not, or HORA_ALLREDUCE_NONBLOCKING=mpi, MPI_Iallreduce is MPI's.
// A blocking reduction needs none of this: all its ranks are in it.
// On communicators that a call makes which is not intercepted (MPI_Comm_idup, of graphs), and that
// have seen no blocking reduction, MPI_Iallreduce is MPI's: to make ours would have to wait, or to
// rely on MPI_Comm_idup, which Open MPI 4 lets wait for communicators that are made beside it.
//
// Of the calls that complete requests none needs to be known to be right. Those that are known do
// not wait for the thread.
class Session {
  public:
    // After MPI has begun, by all ranks together. `level` is what threads of the program may do,
    // `given` what MPI allows.
    void start(const Choice& own, int level, int given);
    // In place of start(), by one rank for itself: no reduction is Hora's.
    void leave_to_mpi(int level) { level_ = level; }
    // Before MPI ends.
    void stop();

    bool is_active() const { return is_active_; }
    bool takes_nonblocking() const { return is_active_ && choice_.takes_nonblocking; }
    // What the program got; empty where MPI gave it itself.
    std::optional<int> thread_level() const { return level_; }

    // Of a communicator whose reductions are Hora's; null where they are MPI's: between two groups,
    // of one rank, and with ranks of another MPI_COMM_WORLD, which may know nothing of Hora.
    std::shared_ptr<Engine> engine_of(MPI_Comm communicator);

    // The program has made a communicator, by all of its ranks together.
    void expect(MPI_Comm communicator);

    std::uint64_t allreduce(Engine& engine, const Reduction& reduction);
    MPI_Request begin(Engine& engine, const Reduction& reduction);

    bool has_pending() const { return pending_ > 0; }

    enum class Wait { no, any, all };
    // Goes on with those of the requests that are Hora's until no, any or all of them are complete;
    // also ends where another one is, if any counts. What it leaves MPI completes.
    void help(std::span<const MPI_Request> requests, Wait wait);

    // When its communicator is freed: it ends when nothing is under way in it.
    void release(std::shared_ptr<Engine> engine);

  private:
    struct Part {
        std::shared_ptr<Engine> engine;
        std::vector<MPI_Request> requests;
    };

    std::vector<std::shared_ptr<Engine>> engines();
    std::vector<Part> parts_of(std::span<const MPI_Request> requests);
    void remove_released();
    void go_on_in_background();

    Choice choice_;
    std::optional<int> level_;
    bool is_shared_ = false;
    std::atomic<bool> is_active_ = false;
    int attribute_ = MPI_KEYVAL_INVALID;
    std::optional<MessageTimes> world_times_;
    std::atomic<std::size_t> pending_ = 0;

    std::mutex mutex_;  // guards all that follows
    std::vector<std::shared_ptr<Engine>> engines_;
    std::vector<std::shared_ptr<Engine>> released_;
    std::condition_variable begun_;
    bool stops_ = false;
    std::thread background_;  // from the first non-blocking reduction on
};

// The process's. Never destroyed: the thread may run when the program ends without MPI_Finalize.
Session& session();

// Says it and ends the program: the other ranks would wait for this one.
[[noreturn]] void give_up(const char* what);

}  // namespace hora::mpi
