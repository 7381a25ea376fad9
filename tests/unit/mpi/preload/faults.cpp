// PMIx with faults, by HORA_TEST_FAULT, between the library and PMIx itself.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int error = -1;

bool has_fault(const char* name) {
    const char* const value = std::getenv("HORA_TEST_FAULT");
    return value != nullptr && std::strcmp(value, name) == 0;
}

bool is_of_hora(const char* key) {
    return key != nullptr && std::strcmp(key, "hora.mpi") == 0;
}

template <class Function>
Function real(const char* name) {
    void* const pmix = dlopen("libpmix.so.2", RTLD_LAZY | RTLD_NOLOAD);
    return reinterpret_cast<Function>(dlsym(pmix, name));
}

}  // namespace

extern "C" {

// What the library has left is lost with its commit; MPI's own addresses are not.
int PMIx_Put(unsigned char scope, const char* key, void* value) {
    if (has_fault("commit") && is_of_hora(key)) {
        return 0;
    }
    return real<decltype(&PMIx_Put)>("PMIx_Put")(scope, key, value);
}

int PMIx_Commit() {
    const int code = real<decltype(&PMIx_Commit)>("PMIx_Commit")();
    return has_fault("commit") ? error : code;
}

int PMIx_Get(const void* process, const char* key, const void* infos, std::size_t count,
             void** value) {
    if (has_fault("get") && is_of_hora(key)) {
        return error;
    }
    return real<decltype(&PMIx_Get)>("PMIx_Get")(process, key, infos, count, value);
}

// Time passes at once for ranks that wait for one with that fault.
int nanosleep(const timespec* length, timespec* left) {
    const char* const fault = std::getenv("HORA_TEST_FAULT");
    if (fault != nullptr && std::strcmp(fault, "hurry") == 0) {
        return 0;
    }
    return clock_nanosleep(CLOCK_MONOTONIC, 0, length, left);
}
}
