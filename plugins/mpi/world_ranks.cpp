// Which ranks of MPI_COMM_WORLD are in a communicator?
#include "plugins/mpi/world_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace hora::mpi {

bool is_between_groups(MPI_Comm communicator) {
    int is_between = 0;
    PMPI_Comm_test_inter(communicator, &is_between);
    return is_between != 0;
}

std::vector<int> world_ranks(MPI_Comm communicator) {
    if (is_between_groups(communicator)) {
        return {};
    }
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_size(communicator, &size);
    PMPI_Comm_group(communicator, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> own(static_cast<std::size_t>(size));
    std::iota(own.begin(), own.end(), 0);
    std::vector<int> ranks(own.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return std::ranges::find(ranks, MPI_UNDEFINED) == ranks.end() ? ranks : std::vector<int>();
}

}  // namespace hora::mpi
