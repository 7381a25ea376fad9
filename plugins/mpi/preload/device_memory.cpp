// Can the processor read this memory?
#include "plugins/mpi/preload/device_memory.hpp"

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <dlfcn.h>
#include <mpi.h>

#include <atomic>
#include <cstdint>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace hora::mpi {
namespace {

// cuPointerGetAttribute(), and two numbers of cuda.h.
using GetAttribute = int (*)(void* value, int attribute, std::uintptr_t pointer);
constexpr int memory_type = 2;
constexpr unsigned host_memory = 1;

bool takes_device_memory() {
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
    static const bool takes = MPIX_Query_cuda_support() == 1;
    return takes;
#else
    return false;
#endif
}

// Null for as long as the program has not loaded CUDA's driver: then none of it is there.
GetAttribute find_get_attribute() {
    static std::atomic<GetAttribute> known = nullptr;
    if (known == nullptr) {
        if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
            driver != nullptr) {
            known = reinterpret_cast<GetAttribute>(dlsym(driver, "cuPointerGetAttribute"));
        }
    }
    return known;
}

}  // namespace

bool is_device_memory(const void* address) {
    const GetAttribute get_attribute = takes_device_memory() ? find_get_attribute() : nullptr;
    unsigned type = host_memory;
    return get_attribute != nullptr &&
           get_attribute(&type, memory_type, reinterpret_cast<std::uintptr_t>(address)) == 0 &&
           type != host_memory;
}

}  // namespace hora::mpi
