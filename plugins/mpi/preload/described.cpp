// Which calls are recorded, and what is a call, by its arguments?
#include "plugins/mpi/preload/described.hpp"

#include "plugins/mpi/world_ranks.hpp"

extern "C" {
// Its address is what Fortran programs of Open MPI give; null elsewhere.
extern int mpi_fortran_in_place_ __attribute__((weak));
}

namespace hora::mpi {
namespace {

bool is_inside_a_group(MPI_Comm communicator) {
    return communicator != MPI_COMM_NULL && !is_between_groups(communicator);
}

int rank_in(MPI_Comm communicator) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return rank;
}

// Between two groups it is a rank of the other one.
bool is_root(int root, MPI_Comm communicator) {
    return is_inside_a_group(communicator) && rank_in(communicator) == root;
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
    if (counts == nullptr || !is_inside_a_group(communicator)) {
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

std::uint64_t bytes_to_each(const void* from, const int* sent, MPI_Datatype sent_type,
                            const int* counts, MPI_Datatype type, MPI_Comm communicator) {
    return is_in_place(from) ? bytes_of(counts, type, communicator)
                             : bytes_of(sent, sent_type, communicator);
}

std::uint64_t bytes_of_part(const void* from, int sent, MPI_Datatype sent_type, const int* counts,
                            MPI_Datatype type, MPI_Comm communicator) {
    if (!is_in_place(from)) {
        return bytes_of(sent, sent_type);
    }
    return counts != nullptr && is_inside_a_group(communicator)
               ? bytes_of(counts[rank_in(communicator)], type)
               : 0;
}

std::uint64_t bytes_gathered(const void* from, int sent, MPI_Datatype sent_type, int count,
                             MPI_Datatype type, int root, MPI_Comm communicator) {
    return is_in_place(from) && is_root(root, communicator)
               ? bytes_of_all(count, type, communicator)
               : bytes_of(sent, sent_type);
}

std::uint64_t bytes_gathered(const void* from, int sent, MPI_Datatype sent_type, const int* counts,
                             MPI_Datatype type, int root, MPI_Comm communicator) {
    return is_in_place(from) && is_root(root, communicator) ? bytes_of(counts, type, communicator)
                                                            : bytes_of(sent, sent_type);
}

std::uint64_t bytes_scattered(int sent, MPI_Datatype sent_type, int count, MPI_Datatype type,
                              int root, MPI_Comm communicator) {
    return is_root(root, communicator) ? bytes_of_all(sent, sent_type, communicator)
                                       : bytes_of(count, type);
}

std::uint64_t bytes_scattered(const int* sent, MPI_Datatype sent_type, int count, MPI_Datatype type,
                              int root, MPI_Comm communicator) {
    return is_root(root, communicator) ? bytes_of(sent, sent_type, communicator)
                                       : bytes_of(count, type);
}

}  // namespace hora::mpi
