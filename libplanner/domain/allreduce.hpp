// Whose all-reduce do the ranks of an MPI program use?
#pragma once

#include <cstddef>
#include <string_view>

namespace hora::domain {

// As --hora-allreduce and HORA_ALLREDUCE have them; a bypass alone is that to the owner.
enum class Allreduce { mpi, ring, bypass, bypass_to_owner, bypass_to_successor };

constexpr std::string_view allreduce_names[] = {"mpi", "ring", "bypass", "bypass=owner",
                                                "bypass=successor"};

constexpr std::string_view name_of(Allreduce allreduce) {
    return allreduce_names[static_cast<std::size_t>(allreduce)];
}

// Hora's: of vectors as long as gradients it is a ring.
constexpr bool is_horas(Allreduce allreduce) {
    return allreduce != Allreduce::mpi;
}

}  // namespace hora::domain
