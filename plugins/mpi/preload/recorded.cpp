// The calls of C programs that come here for their record alone.
#include "plugins/mpi/preload/recorded.hpp"

#include "plugins/mpi/preload/calls.hpp"
#include "plugins/mpi/preload/next.hpp"

using hora::mpi::bytes_gathered;
using hora::mpi::bytes_of;
using hora::mpi::bytes_of_all;
using hora::mpi::bytes_of_part;
using hora::mpi::bytes_scattered;
using hora::mpi::bytes_to_each;
using hora::mpi::collective;
using hora::mpi::find_next;
using hora::mpi::intercepted;
using hora::mpi::record_begin;
using hora::mpi::record_call;
using hora::mpi::record_receive;
using hora::mpi::with_peer;

#define HORA_CALL(arity, name, fortran, parameters, arguments, ...)                  \
    extern "C" int MPI_##name parameters {                                           \
        return intercepted("MPI_" #name, [&] {                                       \
            static const auto next = find_next<decltype(&MPI_##name)>("MPI_" #name); \
            return record_call([&] { return std::array{__VA_ARGS__}; },              \
                               [&] { return next arguments; });                      \
        });                                                                          \
    }
#define HORA_BEGIN(arity, name, fortran, parameters, arguments, ...)                       \
    extern "C" int MPI_##name parameters {                                                 \
        return intercepted("MPI_" #name, [&] {                                             \
            static const auto next = find_next<decltype(&MPI_##name)>("MPI_" #name);       \
            return record_begin([&] { return std::array{__VA_ARGS__}; },                   \
                                [&] { return next arguments; }, [&] { return *request; }); \
        });                                                                                \
    }
#define HORA_RECEIVE(arity, name, fortran, parameters, arguments, ...)               \
    extern "C" int MPI_##name parameters {                                           \
        return intercepted("MPI_" #name, [&] {                                       \
            static const auto next = find_next<decltype(&MPI_##name)>("MPI_" #name); \
            MPI_Status own;                                                          \
            if (status == MPI_STATUS_IGNORE && hora::mpi::recorder().is_on()) {      \
                status = &own;                                                       \
            }                                                                        \
            return record_receive([&] { return std::array{__VA_ARGS__}; },           \
                                  [&] { return next arguments; },                    \
                                  [&] { return status->MPI_SOURCE; });               \
        });                                                                          \
    }
HORA_CALLS(HORA_CALL, HORA_BEGIN, HORA_RECEIVE)

// Its end will not be heard of.
extern "C" int MPI_Request_free(MPI_Request* request) {
    return intercepted("MPI_Request_free", [&] {
        static const auto next = find_next<decltype(&MPI_Request_free)>("MPI_Request_free");
        hora::mpi::recorder().pending().take(*request);
        return next(request);
    });
}
