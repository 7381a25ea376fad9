// Which calls are recorded, and what is a call, by its arguments?
#include "plugins/mpi/preload/described.hpp"

extern "C" {
// Its address is what Fortran programs of Open MPI give; null elsewhere.
extern int mpi_fortran_in_place_ __attribute__((weak));
}

namespace hora::mpi {

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
    int is_between_groups = 0;
    if (counts == nullptr || communicator == MPI_COMM_NULL) {
        return 0;
    }
    // Then there is one for each rank of the other group.
    PMPI_Comm_test_inter(communicator, &is_between_groups);
    if (is_between_groups != 0) {
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

std::uint64_t bytes_sent(const void* from, int count, MPI_Datatype type) {
    return is_in_place(from) ? 0 : bytes_of(count, type);
}

}  // namespace hora::mpi
