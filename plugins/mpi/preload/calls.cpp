// The calls of C programs that come here before they reach MPI.
#include "plugins/mpi/preload/calls.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "config.h"
#include "plugins/mpi/preload/next.hpp"
#include "plugins/mpi/preload/presence.hpp"
#include "plugins/mpi/preload/recorded.hpp"
#include "plugins/mpi/preload/reduction.hpp"

namespace hora::mpi {
namespace {

const char* variable(const char* name) {
    return std::getenv(name);
}

}  // namespace

std::span<const MPI_Request> list_of(int count, const MPI_Request* requests) {
    return count > 0 && requests != nullptr ? std::span(requests, static_cast<std::size_t>(count))
                                            : std::span<const MPI_Request>();
}

int prepare_session(int level) {
    begin_to_be_present();
    const Choice choice = read_choice(variable);
    return choice.takes_nonblocking ? MPI_THREAD_MULTIPLE : level;
}

int begin_session(int level, int given) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !is_known(variable("HORA_ALLREDUCE"))) {
        std::fputs(
            "hora: HORA_ALLREDUCE is none of mpi, ring, bypass, bypass=owner, "
            "bypass=successor; MPI's own all-reduce is used\n",
            stderr);
    }
    const Choice choice = read_choice(variable);
    const int allowed = std::min(level, given);
    const Presence presence = find_presence();
    if (presence.is_of_all) {
        session().start(choice, allowed, given);
        recorder().start(variable);
        return allowed;
    }
    const char* const folder = variable("HORA_TRACE_DIR");
    if (presence.is_first && (choice.is_ours() || (folder != nullptr && *folder != '\0'))) {
        std::fputs("hora: not all ranks are known to have libhora_mpi.so " PACKAGE_VERSION
                   " (preloaded, and started through an external PMIx); MPI's own all-reduce is "
                   "used, and nothing is recorded\n",
                   stderr);
    }
    session().leave_to_mpi(allowed);
    return allowed;
}

void end_session() {
    recorder().stop();
    session().stop();
}

std::optional<std::uint64_t> allreduce(const void* from, void* into, int count, MPI_Datatype type,
                                       MPI_Op operation, MPI_Comm communicator) {
    const auto reduction =
        session().is_active() ? reduction_of(from, into, count, type, operation) : std::nullopt;
    const auto engine = reduction ? session().engine_of(communicator) : nullptr;
    return engine ? std::optional(session().allreduce(*engine, *reduction)) : std::nullopt;
}

bool begin_allreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op operation,
                     MPI_Comm communicator, MPI_Request* request) {
    const auto reduction = session().takes_nonblocking() && request != nullptr
                               ? reduction_of(from, into, count, type, operation)
                               : std::nullopt;
    const auto engine = reduction ? session().engine_of(communicator) : nullptr;
    if (!engine || !engine->takes_nonblocking()) {
        return false;
    }
    *request = session().begin(*engine, *reduction);
    return true;
}

int expect_made(int code, const MPI_Comm* made) {
    if (code == MPI_SUCCESS) {
        session().expect(*made);
        recorder().expect(*made);
    }
    return code;
}

void finish_all(MPI_Comm communicator) {
    if (const auto engine = session().engine_of(communicator); engine) {
        engine->finish_all();
    }
}

}  // namespace hora::mpi

// -- begin and end ----------------------------------------------------------

using hora::mpi::describe_allreduce;
using hora::mpi::describe_iallreduce;
using hora::mpi::Ending;
using hora::mpi::find_next;
using hora::mpi::intercepted;
using hora::mpi::record_begin;
using hora::mpi::record_call;
using hora::mpi::record_reduction;
using hora::mpi::session;
using Wait = hora::mpi::Session::Wait;

extern "C" int MPI_Init(int* argc, char*** argv) {
    return intercepted("MPI_Init", [&] {
        static const auto next = find_next<decltype(&MPI_Init)>("MPI_Init");
        static const auto next_thread = find_next<decltype(&MPI_Init_thread)>("MPI_Init_thread");
        int given = MPI_THREAD_SINGLE;
        const int asked = hora::mpi::prepare_session(MPI_THREAD_SINGLE);
        const int code =
            asked == MPI_THREAD_SINGLE ? next(argc, argv) : next_thread(argc, argv, asked, &given);
        if (code == MPI_SUCCESS) {
            hora::mpi::begin_session(MPI_THREAD_SINGLE, given);
        }
        return code;
    });
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return intercepted("MPI_Init_thread", [&] {
        static const auto next = find_next<decltype(&MPI_Init_thread)>("MPI_Init_thread");
        const int code = next(argc, argv, hora::mpi::prepare_session(required), provided);
        if (code == MPI_SUCCESS) {
            *provided = hora::mpi::begin_session(required, *provided);
        }
        return code;
    });
}

extern "C" int MPI_Query_thread(int* provided) {
    return intercepted("MPI_Query_thread", [&] {
        static const auto next = find_next<decltype(&MPI_Query_thread)>("MPI_Query_thread");
        const int code = next(provided);
        if (code == MPI_SUCCESS && session().thread_level()) {
            *provided = *session().thread_level();
        }
        return code;
    });
}

extern "C" int MPI_Finalize() {
    return intercepted("MPI_Finalize", [] {
        static const auto next = find_next<decltype(&MPI_Finalize)>("MPI_Finalize");
        hora::mpi::end_session();
        return next();
    });
}

// -- reductions -------------------------------------------------------------

extern "C" int MPI_Allreduce(const void* from, void* into, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
    return intercepted("MPI_Allreduce", [&] {
        static const auto next = find_next<decltype(&MPI_Allreduce)>("MPI_Allreduce");
        const auto work = [&](std::uint64_t& ahead) {
            const auto own = hora::mpi::allreduce(from, into, count, type, operation, communicator);
            ahead = own.value_or(0);
            return own ? MPI_SUCCESS : next(from, into, count, type, operation, communicator);
        };
        return record_reduction([&] { return describe_allreduce(count, type, communicator); },
                                work);
    });
}

extern "C" int MPI_Iallreduce(const void* from, void* into, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm communicator, MPI_Request* request) {
    return intercepted("MPI_Iallreduce", [&] {
        static const auto next = find_next<decltype(&MPI_Iallreduce)>("MPI_Iallreduce");
        return record_begin([&] { return describe_iallreduce(count, type, communicator); },
                            [&] {
                                return hora::mpi::begin_allreduce(from, into, count, type,
                                                                  operation, communicator, request)
                                           ? MPI_SUCCESS
                                           : next(from, into, count, type, operation, communicator,
                                                  request);
                            },
                            [&] { return *request; });
    });
}

// -- communicators ----------------------------------------------------------

#define HORA_MAKE(arity, name, fortran, parameters, arguments)                       \
    extern "C" int MPI_##name parameters {                                           \
        return intercepted("MPI_" #name, [&] {                                       \
            static const auto next = find_next<decltype(&MPI_##name)>("MPI_" #name); \
            return hora::mpi::expect_made(next arguments, made);                     \
        });                                                                          \
    }
HORA_MAKERS(HORA_MAKE)

extern "C" int MPI_Comm_disconnect(MPI_Comm* communicator) {
    return intercepted("MPI_Comm_disconnect", [&] {
        static const auto next = find_next<decltype(&MPI_Comm_disconnect)>("MPI_Comm_disconnect");
        hora::mpi::finish_all(*communicator);
        return next(communicator);
    });
}

// -- waiting ----------------------------------------------------------------

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    return intercepted("MPI_Wait", [&] {
        static const auto next = find_next<decltype(&MPI_Wait)>("MPI_Wait");
        const auto list = hora::mpi::list_of(1, request);
        session().help(list, Wait::all);
        Ending ending(list);
        return ending.all(next(request, ending.statuses(status)));
    });
}

extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    return intercepted("MPI_Waitall", [&] {
        static const auto next = find_next<decltype(&MPI_Waitall)>("MPI_Waitall");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::all);
        Ending ending(list);
        return ending.all(next(count, requests, ending.statuses(statuses)));
    });
}

extern "C" int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    return intercepted("MPI_Waitany", [&] {
        static const auto next = find_next<decltype(&MPI_Waitany)>("MPI_Waitany");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::any);
        Ending ending(list);
        const int code = next(count, requests, index, ending.statuses(status));
        return ending.one(code, *index);
    });
}

extern "C" int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* indices,
                            MPI_Status* statuses) {
    return intercepted("MPI_Waitsome", [&] {
        static const auto next = find_next<decltype(&MPI_Waitsome)>("MPI_Waitsome");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::any);
        Ending ending(list);
        const int code = next(count, requests, completed, indices, ending.statuses(statuses));
        return ending.some(code, *completed, indices);
    });
}

extern "C" int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    return intercepted("MPI_Test", [&] {
        static const auto next = find_next<decltype(&MPI_Test)>("MPI_Test");
        const auto list = hora::mpi::list_of(1, request);
        session().help(list, Wait::no);
        Ending ending(list);
        const int code = next(request, flag, ending.statuses(status));
        return ending.all(code, *flag != 0);
    });
}

extern "C" int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    return intercepted("MPI_Testall", [&] {
        static const auto next = find_next<decltype(&MPI_Testall)>("MPI_Testall");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::no);
        Ending ending(list);
        const int code = next(count, requests, flag, ending.statuses(statuses));
        return ending.all(code, *flag != 0);
    });
}

extern "C" int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status) {
    return intercepted("MPI_Testany", [&] {
        static const auto next = find_next<decltype(&MPI_Testany)>("MPI_Testany");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::no);
        Ending ending(list);
        const int code = next(count, requests, index, flag, ending.statuses(status));
        return ending.one(code, *index, *flag != 0);
    });
}

extern "C" int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* indices,
                            MPI_Status* statuses) {
    return intercepted("MPI_Testsome", [&] {
        static const auto next = find_next<decltype(&MPI_Testsome)>("MPI_Testsome");
        const auto list = hora::mpi::list_of(count, requests);
        session().help(list, Wait::no);
        Ending ending(list);
        const int code = next(count, requests, completed, indices, ending.statuses(statuses));
        return ending.some(code, *completed, indices);
    });
}

extern "C" int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    return intercepted("MPI_Request_get_status", [&] {
        static const auto next =
            find_next<decltype(&MPI_Request_get_status)>("MPI_Request_get_status");
        session().help(hora::mpi::list_of(1, &request), Wait::no);
        return next(request, flag, status);
    });
}
