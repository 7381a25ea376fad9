// The calls of Fortran programs that come here for their record alone, or for the communicator that
// they make: see fortran.cpp for their names.
#include "plugins/mpi/preload/calls.hpp"

#if defined(OPEN_MPI)
#include <tuple>
#include <type_traits>
#include <utility>

#include "plugins/mpi/preload/fortran_status.hpp"
#include "plugins/mpi/preload/next.hpp"
#include "plugins/mpi/preload/recorded.hpp"

namespace hora::mpi {
namespace {

// Each argument of a Fortran call is a pointer; what C takes in its place. Requests and statuses
// tell nothing before the call.
template <class Argument>
Argument from_fortran(void* given) {
    if constexpr (std::is_same_v<Argument, int>) {
        return *static_cast<MPI_Fint*>(given);
    } else if constexpr (std::is_same_v<Argument, MPI_Comm>) {
        return PMPI_Comm_f2c(*static_cast<MPI_Fint*>(given));
    } else if constexpr (std::is_same_v<Argument, MPI_Datatype>) {
        return PMPI_Type_f2c(*static_cast<MPI_Fint*>(given));
    } else if constexpr (std::is_same_v<Argument, MPI_Op>) {
        return PMPI_Op_f2c(*static_cast<MPI_Fint*>(given));
    } else {
        return static_cast<Argument>(given);
    }
}

template <class Result, class... Arguments, std::size_t... Places>
Result describe_given(Result (*describe)(Arguments...), void* const* given,
                      std::index_sequence<Places...> /*places*/) {
    return describe(from_fortran<Arguments>(given[Places])...);
}

template <class Result, class... Arguments>
Result describe(Result (*of)(Arguments...), void* const* given) {
    return describe_given(of, given, std::index_sequence_for<Arguments...>());
}

// What each line of the table says of the arguments in C.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HORA_DESCRIBE(arity, name, fortran, parameters, arguments, ...) \
    auto describe_##name parameters {                                   \
        return std::array{__VA_ARGS__};                                 \
    }
HORA_CALLS(HORA_DESCRIBE, HORA_DESCRIBE, HORA_DESCRIBE)
#pragma GCC diagnostic pop

}  // namespace
}  // namespace hora::mpi

using hora::mpi::find_next;
using hora::mpi::intercepted;
using hora::mpi::record_begin;
using hora::mpi::record_call;
using hora::mpi::record_receive;
using Fint = MPI_Fint;

// So many parameters and arguments.
// clang-format off
#define HORA_TAKE_1 void* a1
#define HORA_TAKE_2 HORA_TAKE_1, void* a2
#define HORA_TAKE_3 HORA_TAKE_2, void* a3
#define HORA_TAKE_4 HORA_TAKE_3, void* a4
#define HORA_TAKE_5 HORA_TAKE_4, void* a5
#define HORA_TAKE_6 HORA_TAKE_5, void* a6
#define HORA_TAKE_7 HORA_TAKE_6, void* a7
#define HORA_TAKE_8 HORA_TAKE_7, void* a8
#define HORA_TAKE_9 HORA_TAKE_8, void* a9
#define HORA_TAKE_10 HORA_TAKE_9, void* a10
#define HORA_TAKE_11 HORA_TAKE_10, void* a11
#define HORA_TAKE_12 HORA_TAKE_11, void* a12
#define HORA_GIVE_1 a1
#define HORA_GIVE_2 HORA_GIVE_1, a2
#define HORA_GIVE_3 HORA_GIVE_2, a3
#define HORA_GIVE_4 HORA_GIVE_3, a4
#define HORA_GIVE_5 HORA_GIVE_4, a5
#define HORA_GIVE_6 HORA_GIVE_5, a6
#define HORA_GIVE_7 HORA_GIVE_6, a7
#define HORA_GIVE_8 HORA_GIVE_7, a8
#define HORA_GIVE_9 HORA_GIVE_8, a9
#define HORA_GIVE_10 HORA_GIVE_9, a10
#define HORA_GIVE_11 HORA_GIVE_10, a11
#define HORA_GIVE_12 HORA_GIVE_11, a12

// What is the same in all of them: the next function.
#define HORA_IN_FORTRAN(arity, name, fortran, ends)                                              \
    extern "C" void ompi_##fortran##_f(HORA_TAKE_##arity, Fint* error) {                         \
        *error = intercepted("MPI_" #name, [&]() -> int {                                        \
            static const auto next = find_next<decltype(&ompi_##fortran##_f)>("mpi_" #fortran "_"); \
            const auto work = [&]() -> int {                                                     \
                Fint code = MPI_SUCCESS;                                                         \
                next(HORA_GIVE_##arity, &code);                                                  \
                return code;                                                                     \
            };                                                                                   \
            ends                                                                                 \
        });                                                                                      \
    }                                                                                            \
    extern "C" decltype(ompi_##fortran##_f) mpi_##fortran##_                                     \
        __attribute__((alias("ompi_" #fortran "_f")));
// And the Descriptions before the call.
#define HORA_RECORDED(arity, name, fortran, record)                                              \
    HORA_IN_FORTRAN(arity, name, fortran,                                                        \
        const auto describe = [&] {                                                              \
            void* const given[] = {HORA_GIVE_##arity};                                           \
            return hora::mpi::describe(&hora::mpi::describe_##name, given);                      \
        };                                                                                       \
        record)
#define HORA_MAKE(arity, name, fortran, ...)                                                     \
    HORA_IN_FORTRAN(arity, name, fortran,                                                        \
        const int code = work();                                                                 \
        const MPI_Comm made =                                                                    \
            code == MPI_SUCCESS ? PMPI_Comm_f2c(*static_cast<Fint*>(a##arity)) : MPI_COMM_NULL;  \
        return hora::mpi::expect_made(code, &made);)
#define HORA_CALL(arity, name, fortran, ...)                                                     \
    HORA_RECORDED(arity, name, fortran, return record_call(describe, work);)
#define HORA_BEGIN(arity, name, fortran, ...)                                                    \
    HORA_RECORDED(arity, name, fortran, return record_begin(describe, work, [&] {                \
        return PMPI_Request_f2c(*static_cast<Fint*>(a##arity));                                  \
    });)
#define HORA_RECEIVE(arity, name, fortran, ...)                                                  \
    HORA_RECORDED(arity, name, fortran, hora::mpi::FortranStatus own;                            \
        if (a##arity == &mpi_fortran_status_ignore_ && hora::mpi::recorder().is_on()) {          \
            a##arity = own.data();                                                               \
        } return record_receive(describe, work, [&] {                                            \
            return hora::mpi::source_in(static_cast<Fint*>(a##arity));                           \
        });)
// clang-format on
HORA_CALLS(HORA_CALL, HORA_BEGIN, HORA_RECEIVE)
HORA_MAKERS(HORA_MAKE)

extern "C" void ompi_request_free_f(Fint* request, Fint* error) {
    *error = intercepted("MPI_Request_free", [&]() -> int {
        static const auto next = find_next<decltype(&ompi_request_free_f)>("mpi_request_free_");
        hora::mpi::recorder().pending().take(PMPI_Request_f2c(*request));
        Fint code = MPI_SUCCESS;
        next(request, &code);
        return code;
    });
}
extern "C" decltype(ompi_request_free_f) mpi_request_free_
    __attribute__((alias("ompi_request_free_f")));
#endif
