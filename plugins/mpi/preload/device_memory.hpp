// Can the processor read this memory?
#pragma once

namespace hora::mpi {

// A GPU's memory, which an MPI that is built for CUDA takes as well. False where MPI is not.
bool is_device_memory(const void* address);

}  // namespace hora::mpi
