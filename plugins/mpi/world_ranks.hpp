// Which ranks of MPI_COMM_WORLD are in a communicator?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <vector>

namespace hora::mpi {

bool is_between_groups(MPI_Comm communicator);

// In the order of the communicator; empty where it is between two groups, or one is of another
// world.
std::vector<int> world_ranks(MPI_Comm communicator);

}  // namespace hora::mpi
