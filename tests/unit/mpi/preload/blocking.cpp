// Are the sums of MPI_Allreduce those of MPI, and does MPI get what is its own?
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tests/unit/mpi/preload/program.hpp"

namespace hora::mpi::test {
namespace {

struct Type {
    const char* name;
    MPI_Datatype type;
    std::size_t size;
    void (*fill)(std::byte* memory, std::size_t count, int rank);
};

template <class T>
void fill(std::byte* memory, std::size_t count, int rank) {
    for (std::size_t i = 0; i < count; ++i) {
        // Some are negative where T can be. No sum is too large for T: Open MPI 4 lets some of them
        // wrap around, and others not.
        const auto value = static_cast<T>(static_cast<T>(i % 11 + static_cast<unsigned>(rank) * 5) -
                                          static_cast<T>(std::is_signed_v<T> ? 10 : 0));
        std::memcpy(memory + i * sizeof value, &value, sizeof value);
    }
}

template <class T>
Type type_of(const char* name, MPI_Datatype type) {
    return {name, type, sizeof(T), fill<T>};
}

std::vector<Type> all_types() {
    return {type_of<signed char>("signed char", MPI_SIGNED_CHAR),
            type_of<unsigned char>("unsigned char", MPI_UNSIGNED_CHAR),
            type_of<short>("short", MPI_SHORT),
            type_of<unsigned short>("unsigned short", MPI_UNSIGNED_SHORT),
            type_of<int>("int", MPI_INT),
            type_of<unsigned>("unsigned", MPI_UNSIGNED),
            type_of<long>("long", MPI_LONG),
            type_of<unsigned long>("unsigned long", MPI_UNSIGNED_LONG),
            type_of<long long>("long long", MPI_LONG_LONG),
            type_of<unsigned long long>("unsigned long long", MPI_UNSIGNED_LONG_LONG),
            type_of<std::int8_t>("int8", MPI_INT8_T),
            type_of<std::uint16_t>("uint16", MPI_UINT16_T),
            type_of<std::int32_t>("int32", MPI_INT32_T),
            type_of<std::uint64_t>("uint64", MPI_UINT64_T),
            type_of<MPI_Aint>("address", MPI_AINT),
            type_of<MPI_Count>("count", MPI_COUNT),
            type_of<float>("float", MPI_FLOAT),
            type_of<double>("double", MPI_DOUBLE)};
}

struct Operation {
    const char* name;
    MPI_Op operation;
};

std::vector<Operation> all_operations() {
    return {{"sum", MPI_SUM}, {"min", MPI_MIN}, {"max", MPI_MAX}};
}

struct Communicator {
    const char* name;
    MPI_Comm communicator;
};

bool is_same_as_mpi(const Type& type, MPI_Op operation, std::size_t count, bool is_in_place,
                    MPI_Comm communicator) {
    std::vector<std::byte> own(count * type.size);
    std::vector<std::byte> into(own.size());
    std::vector<std::byte> expected(own.size());
    type.fill(own.data(), count, rank_in(communicator));
    const auto elements = static_cast<int>(count);
    PMPI_Allreduce(own.data(), expected.data(), elements, type.type, operation, communicator);
    if (is_in_place) {
        into = own;
    }
    const int code = MPI_Allreduce(is_in_place ? MPI_IN_PLACE : own.data(), into.data(), elements,
                                   type.type, operation, communicator);
    return code == MPI_SUCCESS && into == expected;
}

void sum_pairs(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
    for (int i = 0; i < 2 * *count; ++i) {
        static_cast<double*>(into)[i] += static_cast<double*>(from)[i];
    }
}

}  // namespace

void try_blocking(Verdict& verdict) {
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm backwards = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    const Communicator communicators[] = {{"all ranks", MPI_COMM_WORLD},
                                          {"a copy", copy},
                                          {"half of the ranks", half},
                                          {"ranks backwards", backwards}};
    const int seen = seen_by_tool();
    for (const Communicator& of : communicators) {
        for (const Type& type : all_types()) {
            for (const Operation& operation : all_operations()) {
                for (const std::size_t count : {1U, 7U, 1000U, 30011U}) {
                    for (const bool is_in_place : {false, true}) {
                        verdict.expect(
                            is_same_as_mpi(type, operation.operation, count, is_in_place,
                                           of.communicator),
                            fmt::format("{} of {} {} over {}{}", operation.name, count, type.name,
                                        of.name, is_in_place ? " in place" : ""));
                    }
                }
            }
        }
    }
    verdict.expect(seen_by_tool() == seen, "MPI reduced what is Hora's");
    for (MPI_Comm* const communicator : {&copy, &half, &backwards}) {
        MPI_Comm_free(communicator);
    }
}

namespace {

std::size_t threads_of_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace

// Where the measured latency is long, as beside other programs, vectors of this length do not go
// around the ring, and what comes for a level is added at once: each communicator measures its own.
void try_threads_for_additions(Verdict& verdict) {
    const std::size_t before = threads_of_process();
    constexpr std::size_t count = 1U << 20U;
    constexpr int most_communicators = 100;
    const Type type{"double", MPI_DOUBLE, sizeof(double), fill<double>};
    const bool is_asked = std::getenv("HORA_ALLREDUCE_THREAD") != nullptr;
    int all_add = 0;
    for (int i = 0; i < most_communicators && all_add == 0; ++i) {
        MPI_Comm communicator = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        verdict.expect(is_same_as_mpi(type, MPI_SUM, count, true, communicator), "a long vector");
        const bool adds = threads_of_process() > before;
        verdict.expect(!adds || is_asked, "a thread adds that was not asked for");
        all_add = adds || !is_asked ? 1 : 0;
        PMPI_Allreduce(MPI_IN_PLACE, &all_add, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Comm_free(&communicator);
    }
    verdict.expect(all_add == 1, "no thread adds");
}

void try_blocking_only(Verdict& verdict, bool is_left_to_mpi) {
    int level = MPI_THREAD_MULTIPLE;
    MPI_Query_thread(&level);
    verdict.expect(level == MPI_THREAD_SINGLE, "the level is what the program asked for");
    int seen = seen_by_tool();
    double value = 1;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    verdict.expect(value == 4 && seen_by_tool() == seen + (is_left_to_mpi ? 1 : 0), "a sum");
    seen = seen_by_tool();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    verdict.expect(value == 16 && seen_by_tool() == seen + 1, "a sum not waited for at once");
}

void try_what_is_left_to_mpi(Verdict& verdict) {
    const auto rank = static_cast<double>(rank_in(MPI_COMM_WORLD));
    MPI_Op own_sum = MPI_OP_NULL;
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Op_create(sum_pairs, 1, &own_sum);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    const int side = rank_in(MPI_COMM_WORLD) % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &between);
    const struct {
        const char* name;
        double expected;
        MPI_Datatype type;
        MPI_Op operation;
        MPI_Comm communicator;
    } cases[] = {
        {"a product", 24, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD},
        {"an operation of the program's on its own type", 10, pair, own_sum, MPI_COMM_WORLD},
        {"a sum of one rank", rank + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF},
        {"a sum between two groups", side == 0 ? 6.0 : 4.0, MPI_DOUBLE, MPI_SUM, between},
    };
    for (const auto& test : cases) {
        const double from[] = {rank + 1, rank + 1};
        double into[] = {0, 0};
        int seen = seen_by_tool();
        MPI_Allreduce(from, into, 1, test.type, test.operation, test.communicator);
        verdict.expect(into[0] == test.expected && seen_by_tool() == seen + 1, test.name);
        into[0] = 0;
        seen = seen_by_tool();
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(from, into, 1, test.type, test.operation, test.communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        verdict.expect(into[0] == test.expected && seen_by_tool() == seen + 1,
                       fmt::format("{}, not waited for at once", test.name));
    }
    MPI_Op_free(&own_sum);
    MPI_Type_free(&pair);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

}  // namespace hora::mpi::test
