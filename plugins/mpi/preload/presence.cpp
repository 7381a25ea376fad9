// Do all ranks have this library, of the same version?
#include "plugins/mpi/preload/presence.hpp"

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <dlfcn.h>
#include <mpi.h>
#include <sysexits.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "config.h"

namespace hora::mpi {
namespace {

// PMIx's interface for programs, as far as it is used here, the same since its release 2: to
// build the library its headers are not needed, and no other PMIx is loaded than MPI's.
struct Process {
    char space[256];
    std::uint32_t rank;
};
struct Value {
    std::uint16_t type;
    union {
        char* text;
        // As large as the largest of PMIx's own, two pointers and a character.
        void* room[3];
    };
};
using Put = int (*)(std::uint8_t scope, const char* key, Value* value);
using Commit = int (*)();
using Get = int (*)(const Process*, const char* key, const void* infos, std::size_t, Value** value);

constexpr int success = 0;
constexpr int failure = -1;
constexpr std::uint8_t for_all_ranks = 3;
constexpr std::uint16_t is_text = 3;

constexpr const char* key = "hora.mpi";
constexpr char version[] = PACKAGE_VERSION;

// Of messages that are received in MPI_Init, before any of the program's.
constexpr int tag = 4072;

// By the thread that calls MPI_Init.
struct Mark {
    bool is_to_be_left = false;
    Get get = nullptr;  // null: the version is not left
};

Mark& mark() {
    static auto* const whole = new Mark;
    return *whole;
}

void* find_in(const char* library, const char* name) {
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == nullptr) {
        return nullptr;
    }
    void* const found = dlsym(loaded, name);
    dlclose(loaded);
    return found;
}

// In the library after this one; or, where PMIx is visible to its caller alone, in what that uses.
// The caller is not known where its call was its last act; then in PMIx's library itself.
template <class Function>
Function find_pmix(const char* name, const void* caller) {
    void* found = dlsym(RTLD_NEXT, name);
    Dl_info place{};
    if (found == nullptr && dladdr(caller, &place) != 0) {
        found = find_in(place.dli_fname, name);
    }
    if (found == nullptr) {
        found = find_in("libpmix.so.2", name);
    }
    return reinterpret_cast<Function>(found);
}

void leave_version(const void* caller) {
    const auto put = find_pmix<Put>("PMIx_Put", caller);
    const auto get = find_pmix<Get>("PMIx_Get", caller);
    if (put == nullptr || get == nullptr) {
        return;
    }
    std::array<char, sizeof version> text{};
    std::memcpy(text.data(), version, sizeof version);
    Value value{};
    value.type = is_text;
    value.text = text.data();
    mark().get = put(for_all_ranks, key, &value) == success ? get : nullptr;
}

int commit(const void* caller) {
    const auto next = find_pmix<Commit>("PMIx_Commit", caller);
    if (next == nullptr) {
        std::fputs("hora: PMIx_Commit is in no library after libhora_mpi.so\n", stderr);
        return failure;
    }
    // With what MPI itself has put, so that a rank whose addresses are known has left it or never
    // does.
    if (std::exchange(mark().is_to_be_left, false)) {
        leave_version(caller);
    }
    const int code = next();
    if (code != success) {
        mark().get = nullptr;
    }
    return code;
}

// Has that rank the library, of this version?
bool is_present(int rank) {
    Process process{};
    const char* const space = std::getenv("PMIX_NAMESPACE");
    if (space == nullptr || std::strlen(space) >= sizeof process.space) {
        return false;
    }
    std::strcpy(process.space, space);
    process.rank = static_cast<std::uint32_t>(rank);
    Value* value = nullptr;
    if (mark().get(&process, key, nullptr, 0, &value) != success || value == nullptr) {
        return false;
    }
    const bool is_same = value->type == is_text && value->text != nullptr &&
                         std::string_view(value->text) == version;
    if (value->type == is_text) {
        std::free(value->text);
    }
    std::free(value);
    return is_same;
}

// Do all ranks before it lack the library? Those that do are often the first ones, of one node: the
// few next to it are enough to ask then.
bool is_first_present(int rank) {
    constexpr int most_asked = 8;  // of each PMIx may know only after 2 s
    for (int before = rank - 1; before >= 0 && before >= rank - most_asked; --before) {
        if (is_present(before)) {
            return false;
        }
    }
    return true;
}

// For a rank that has the library and does not know of this one: PMIx may fail on one side alone.
[[noreturn]] void end_without(int rank) {
    std::fprintf(stderr,
                 "hora: rank %d has libhora_mpi.so and does not answer; PMIx may have failed there "
                 "(--hora-allreduce=mpi without --hora-timeline does without it)\n",
                 rank);
    PMPI_Abort(MPI_COMM_WORLD, EX_UNAVAILABLE);
    std::abort();
}

// Counted in pauses: time in which the whole job is suspended is none.
int receive_from(int rank) {
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
    constexpr int most_pauses = 12'000;
    int is_there = 0;
    for (int pauses = 0; is_there == 0; ++pauses) {
        PMPI_Iprobe(rank, tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        if (is_there == 0 && pauses >= most_pauses) {
            end_without(rank);
        }
        if (is_there == 0) {
            nanosleep(&pause, nullptr);
        }
    }
    int value = 0;
    PMPI_Recv(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

void send_to(int rank, int value) {
    PMPI_Send(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

}  // namespace

void begin_to_be_present() {
    mark() = {.is_to_be_left = true};
}

Presence find_presence() {
    mark().is_to_be_left = false;
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1 || mark().get == nullptr) {
        return {.is_of_all = size == 1, .is_first = rank == 0};
    }
    const int parent = (rank - 1) / 2;
    int answer = rank == 0 || is_present(parent) ? 1 : 0;
    const bool has_parent = rank > 0 && answer == 1;
    const bool is_first = !has_parent && is_first_present(rank);
    std::array<int, 2> children = {2 * rank + 1, 2 * rank + 2};
    for (int& child : children) {
        if (child >= size || !is_present(child)) {
            answer = child >= size ? answer : 0;
            child = MPI_PROC_NULL;
        } else {
            answer = receive_from(child) == 1 ? answer : 0;
        }
    }
    if (has_parent) {
        send_to(parent, answer);
        answer = receive_from(parent);
    }
    for (const int child : children) {
        send_to(child, answer);
    }
    return {.is_of_all = answer == 1, .is_first = is_first};
}

}  // namespace hora::mpi

extern "C" int PMIx_Commit() {
    return hora::mpi::commit(__builtin_return_address(0));
}
