// Which of MPI's types and operations does Hora reduce itself?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <optional>

#include "plugins/mpi/allreduce/kernel.hpp"

namespace hora::mpi {

// Integers and floats of C and Fortran; nothing for derived types and all others.
std::optional<Element> element_of(MPI_Datatype type);

// MPI_SUM, MPI_MIN, MPI_MAX.
std::optional<Operation> operation_of(MPI_Op operation);

}  // namespace hora::mpi
