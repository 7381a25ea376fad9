// Can Hora do this reduction of the program's, and what is it?
#include "plugins/mpi/preload/reduction.hpp"

#include "plugins/mpi/preload/datatype.hpp"
#include "plugins/mpi/preload/device_memory.hpp"

namespace hora::mpi {

std::optional<Reduction> reduction_of(const void* from, void* into, int count, MPI_Datatype type,
                                      MPI_Op operation) {
    const auto element = element_of(type);
    const auto kind = operation_of(operation);
    const void* const own = from == MPI_IN_PLACE ? into : from;
    if (!element || !kind || count <= 0 || own == nullptr || into == nullptr || from == into ||
        into == MPI_IN_PLACE || is_device_memory(own) || is_device_memory(into)) {
        return std::nullopt;
    }
    return Reduction{.element = *element,
                     .operation = *kind,
                     .from = static_cast<const std::byte*>(own),
                     .into = static_cast<std::byte*>(into),
                     .count = static_cast<std::size_t>(count)};
}

}  // namespace hora::mpi
