// Can Hora do this reduction of the program's, and what is it?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <optional>

#include "plugins/mpi/allreduce/algorithm.hpp"

namespace hora::mpi {

// The arguments of MPI_Allreduce. Nothing where MPI is to do it: other types and operations, no
// elements, memory of a GPU, and arguments that MPI refuses.
std::optional<Reduction> reduction_of(const void* from, void* into, int count, MPI_Datatype type,
                                      MPI_Op operation);

}  // namespace hora::mpi
