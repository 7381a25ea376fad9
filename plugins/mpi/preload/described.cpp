// Which calls are recorded, and what is a call, by its arguments?
#include "plugins/mpi/preload/described.hpp"

extern "C" {
// Its address is what Fortran programs of Open MPI give; null elsewhere.
extern int mpi_fortran_in_place_ __attribute__((weak));
}

namespace hora::mpi {
namespace {

// Or of none.
bool is_between_groups(MPI_Comm communicator) {
    int is_between = 1;
    if (communicator != MPI_COMM_NULL) {
        PMPI_Comm_test_inter(communicator, &is_between);
    }
    return is_between != 0;
}

}  // namespace

bool is_in_place(const void* memory) {
    return memory == MPI_IN_PLACE ||
           (memory != nullptr && memory == static_cast<const void*>(&mpi_fortran_in_place_));
}

std::uint64_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS ||
        size < 0) {
        return 0;
    }
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

std::uint64_t bytes_of(const int* counts, MPI_Datatype type, MPI_Comm communicator) {
    // Between two groups there is one for each rank of the other group.
    if (counts == nullptr || is_between_groups(communicator)) {
        return 0;
    }
    int ranks = 0;
    PMPI_Comm_size(communicator, &ranks);
    std::uint64_t sum = 0;
    for (int i = 0; i < ranks; ++i) {
        sum += bytes_of(counts[i], type);
    }
    return sum;
}

std::uint64_t bytes_of_all(int count, MPI_Datatype type, MPI_Comm communicator) {
    int ranks = 0;
    if (communicator == MPI_COMM_NULL) {
        return 0;
    }
    PMPI_Comm_size(communicator, &ranks);
    return bytes_of(count, type) * static_cast<std::uint64_t>(ranks);
}

std::uint64_t bytes_of_own(const int* counts, MPI_Datatype type, MPI_Comm communicator) {
    if (counts == nullptr || is_between_groups(communicator)) {
        return 0;
    }
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return bytes_of(counts[rank], type);
}

bool is_root(int root, MPI_Comm communicator) {
    if (is_between_groups(communicator)) {
        return false;
    }
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return rank == root;
}

}  // namespace hora::mpi
