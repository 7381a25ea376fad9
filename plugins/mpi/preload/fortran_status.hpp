// What does Fortran keep of a status?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <array>

extern "C" {
// Their addresses are what Fortran programs of Open MPI give.
extern int mpi_fortran_status_ignore_ __attribute__((weak));
extern int mpi_fortran_statuses_ignore_ __attribute__((weak));
}

namespace hora::mpi {

// As large as one is in Fortran.
using FortranStatus = std::array<MPI_Fint, sizeof(MPI_Status) / sizeof(MPI_Fint)>;

inline int source_in(MPI_Fint* status) {
    MPI_Status converted;
    PMPI_Status_f2c(status, &converted);
    return converted.MPI_SOURCE;
}

}  // namespace hora::mpi
