// What becomes of the program's calls, in whichever language it makes them?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <span>

#include "plugins/mpi/preload/session.hpp"

namespace hora::mpi {

// Every call that is known goes through here: an exception ends in it (`function` is the name of
// the call in C).
template <class Work>
int intercepted(const char* /*function*/, Work work) noexcept {
    try {
        return work();
    } catch (const std::exception& problem) {
        give_up(problem.what());
    }
}

// Before MPI begins: what is to be asked of MPI_Init_thread where the program asks for `level`.
int prepare_session(int level);
// After it has given `given`; the level that the program gets.
int begin_session(int level, int given);
// Before MPI ends.
void end_session();

// MPI_Allreduce and MPI_Iallreduce where they are Hora's. Done: the pieces for which this rank did
// not wait; empty where it is MPI's. Begun: true.
std::optional<std::uint64_t> allreduce(const void* from, void* into, int count, MPI_Datatype type,
                                       MPI_Op operation, MPI_Comm communicator);
bool begin_allreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op operation,
                     MPI_Comm communicator, MPI_Request* request);

// Nothing for what MPI refuses.
std::span<const MPI_Request> list_of(int count, const MPI_Request* requests);

// After a call has made a communicator; gives back that call's code.
int expect_made(int code, const MPI_Comm* made);

// Before MPI_Comm_disconnect, which waits for what is under way.
void finish_all(MPI_Comm communicator);

}  // namespace hora::mpi
