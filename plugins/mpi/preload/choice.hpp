// Whose all-reduce was asked for, and do all ranks ask for the same?
//
// environment: HORA_ALLREDUCE HORA_DETERMINISTIC HORA_ALLREDUCE_NONBLOCKING HORA_ALLREDUCE_THREAD
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <functional>
#include <string_view>

#include "libplanner/domain/allreduce.hpp"
#include "plugins/mpi/allreduce/allreduce.hpp"

namespace hora::mpi {

struct Choice {
    domain::Allreduce allreduce = domain::Allreduce::mpi;
    // MPI_Iallreduce as well; needs a thread, and so MPI_THREAD_MULTIPLE.
    bool takes_nonblocking = false;
    // The same bits in every run: no way depends on what was measured.
    bool is_deterministic = false;
    // A bypass adds and copies on threads of its own: each rank for itself.
    bool has_thread = false;

    bool is_ours() const { return allreduce != domain::Allreduce::mpi; }
    friend bool operator==(const Choice&, const Choice&) = default;
};

// From the variables, by a function that gives one's value or null. A value that is none of the
// names is `mpi`.
Choice read_choice(const std::function<const char*(const char*)>& variable);

// Is the value of HORA_ALLREDUCE one of its names, or not set?
bool is_known(const char* value);

// Called by all ranks of MPI_COMM_WORLD together. Where they differ all get `mpi`, and rank 0 says
// so; non-blocking reductions are taken where all ranks can, and bits are kept where one asks: then
// no rank goes ahead of another, which rank 0 says too. In threads ranks may differ.
Choice agree(const Choice& own);

// The one place that turns the choice into settings of the reductions.
Settings settings_of(const Choice& choice, const MessageTimes& times);

}  // namespace hora::mpi
