// A profiling tool of the program's own: counts the reductions that reach MPI.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>

namespace {

std::atomic<int> seen = 0;

}  // namespace

extern "C" int seen_by_tool() {
    return seen;
}

extern "C" int MPI_Allreduce(const void* from, void* into, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
    ++seen;
    return PMPI_Allreduce(from, into, count, type, operation, communicator);
}

extern "C" int MPI_Iallreduce(const void* from, void* into, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm communicator, MPI_Request* request) {
    ++seen;
    return PMPI_Iallreduce(from, into, count, type, operation, communicator, request);
}
