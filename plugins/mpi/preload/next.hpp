// What would the program's call have reached without this library?
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace hora::mpi {

// The function of that name in the next library: a profiling tool's, or MPI's own. A function that
// was called through this library is there.
template <class Function>
Function find_next(const char* name) {
    void* const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "hora: %s is in no library after libhora_mpi.so\n", name);
        std::abort();
    }
    return reinterpret_cast<Function>(found);
}

}  // namespace hora::mpi
