// Whose all-reduce do the ranks of an MPI program use?
#pragma once

#include <cstddef>
#include <string_view>

namespace hora::domain {

// As --hora-allreduce and HORA_ALLREDUCE have them.
enum class Allreduce { mpi, ring };

constexpr std::string_view allreduce_names[] = {"mpi", "ring"};

constexpr std::string_view name_of(Allreduce allreduce) {
    return allreduce_names[static_cast<std::size_t>(allreduce)];
}

}  // namespace hora::domain
