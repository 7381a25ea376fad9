// The calls of Fortran programs that come here before they reach MPI.
//
// Open MPI's Fortran functions call its C functions past every wrapper, so these have names of
// their own: mpi_..._ of mpif.h and the module mpi, and ompi_..._f, which mpi_f08 calls. MPICH's
// call the C functions by their names.
#include "plugins/mpi/preload/calls.hpp"

#if defined(OPEN_MPI)
#include <algorithm>
#include <array>
#include <vector>

#include "plugins/mpi/preload/fortran_status.hpp"
#include "plugins/mpi/preload/next.hpp"
#include "plugins/mpi/preload/recorded.hpp"

extern "C" {
// Its address is what Fortran programs give.
extern int mpi_fortran_bottom_ __attribute__((weak));
}

namespace hora::mpi {
namespace {

struct Arguments {
    const void* from;
    void* into;
    int count;
    MPI_Datatype type;
    MPI_Op operation;
    MPI_Comm communicator;
};

Arguments read_arguments(const void* from, void* into, const MPI_Fint* count, const MPI_Fint* type,
                         const MPI_Fint* operation, const MPI_Fint* communicator) {
    const auto memory = [](void* given) {
        return given == static_cast<void*>(&mpi_fortran_bottom_) ? nullptr : given;
    };
    return {is_in_place(from) ? MPI_IN_PLACE : memory(const_cast<void*>(from)),
            memory(into),
            *count,
            PMPI_Type_f2c(*type),
            PMPI_Op_f2c(*operation),
            PMPI_Comm_f2c(*communicator)};
}

std::vector<MPI_Request> in_c(MPI_Fint count, const MPI_Fint* requests) {
    std::vector<MPI_Request> list;
    for (MPI_Fint i = 0; i < count; ++i) {
        list.push_back(PMPI_Request_f2c(requests[i]));
    }
    return list;
}

void help(MPI_Fint count, const MPI_Fint* requests, Session::Wait wait) {
    intercepted("MPI_Wait and the like", [&] {
        if (session().has_pending()) {
            session().help(in_c(count, requests), wait);
        }
        return MPI_SUCCESS;
    });
}

std::vector<MPI_Request> recorded_in_c(MPI_Fint count, const MPI_Fint* requests) {
    const bool are_some = recorder().is_on() && !recorder().pending().is_empty();
    return are_some ? in_c(count, requests) : std::vector<MPI_Request>();
}

// As Ending, for a call with Fortran's requests, statuses and indices, which begin with 1.
class FortranEnding {
  public:
    FortranEnding(MPI_Fint count, const MPI_Fint* requests)
        : given_(requests),
          requests_(recorded_in_c(count, requests)),
          completions_(requests_),
          room_(static_cast<std::size_t>(count > 0 ? count : 0) * status_size) {}
    FortranEnding(const FortranEnding&) = delete;
    FortranEnding& operator=(const FortranEnding&) = delete;
    // As the call has left them, for the completions' end.
    ~FortranEnding() {
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            requests_[i] = PMPI_Request_f2c(given_[i]);
        }
    }

    MPI_Fint* statuses(MPI_Fint* given) {
        const void* const place = given;
        const bool is_ignored =
            place == &mpi_fortran_status_ignore_ || place == &mpi_fortran_statuses_ignore_;
        if (is_ignored && completions_.need_status()) {
            own_.resize(room_);
            given = own_.data();
        } else if (is_ignored) {
            return given;
        }
        statuses_ = given;
        return given;
    }

    void all(MPI_Fint code, bool are_over = true) {
        if (code == MPI_SUCCESS && are_over) {
            completions_.end_all([this](std::size_t i) { return source(i); });
        }
    }
    void one(MPI_Fint code, MPI_Fint index, bool is_over = true) {
        if (code == MPI_SUCCESS && is_over && index > 0) {
            completions_.end_one(index - 1, [this](std::size_t i) { return source(i); });
        }
    }
    void some(MPI_Fint code, MPI_Fint count, const MPI_Fint* indices) {
        if (code != MPI_SUCCESS || count <= 0 || !completions_.are_any()) {
            return;
        }
        std::vector<int> from_zero;
        for (MPI_Fint i = 0; i < count; ++i) {
            from_zero.push_back(indices[i] - 1);
        }
        completions_.end_some(from_zero, [this](std::size_t i) { return source(i); });
    }

  private:
    static constexpr std::size_t status_size = FortranStatus().size();

    int source(std::size_t place) const {
        return statuses_ == nullptr ? no_peer : source_in(statuses_ + place * status_size);
    }

    const MPI_Fint* const given_;
    std::vector<MPI_Request> requests_;
    Completions completions_;
    const std::size_t room_;
    std::vector<MPI_Fint> own_;
    MPI_Fint* statuses_ = nullptr;
};

}  // namespace
}  // namespace hora::mpi

using hora::mpi::describe_allreduce;
using hora::mpi::describe_iallreduce;
using hora::mpi::find_next;
using hora::mpi::FortranEnding;
using hora::mpi::help;
using hora::mpi::intercepted;
using hora::mpi::read_arguments;
using hora::mpi::record_begin;
using hora::mpi::record_call;
using hora::mpi::record_reduction;
using hora::mpi::session;
using Fint = MPI_Fint;
using Wait = hora::mpi::Session::Wait;

extern "C" {

// -- begin and end ----------------------------------------------------------

void ompi_init_f(Fint* error) {
    *error = intercepted("MPI_Init", [&] {
        static const auto next = find_next<decltype(&ompi_init_f)>("mpi_init_");
        using InitThread = void (*)(Fint*, Fint*, Fint*);
        static const auto next_thread = find_next<InitThread>("mpi_init_thread_");
        Fint given = MPI_THREAD_SINGLE;
        Fint asked = hora::mpi::prepare_session(MPI_THREAD_SINGLE);
        Fint code = MPI_SUCCESS;
        if (asked == MPI_THREAD_SINGLE) {
            next(&code);
        } else {
            next_thread(&asked, &given, &code);
        }
        if (code == MPI_SUCCESS) {
            hora::mpi::begin_session(MPI_THREAD_SINGLE, given);
        }
        return code;
    });
}

void ompi_init_thread_f(Fint* required, Fint* provided, Fint* error) {
    *error = intercepted("MPI_Init_thread", [&] {
        static const auto next = find_next<decltype(&ompi_init_thread_f)>("mpi_init_thread_");
        Fint asked = hora::mpi::prepare_session(*required);
        Fint code = MPI_SUCCESS;
        next(&asked, provided, &code);
        if (code == MPI_SUCCESS) {
            *provided = hora::mpi::begin_session(*required, *provided);
        }
        return code;
    });
}

void ompi_query_thread_f(Fint* provided, Fint* error) {
    *error = intercepted("MPI_Query_thread", [&] {
        static const auto next = find_next<decltype(&ompi_query_thread_f)>("mpi_query_thread_");
        Fint code = MPI_SUCCESS;
        next(provided, &code);
        if (code == MPI_SUCCESS && session().thread_level()) {
            *provided = *session().thread_level();
        }
        return code;
    });
}

void ompi_finalize_f(Fint* error) {
    *error = intercepted("MPI_Finalize", [&] {
        static const auto next = find_next<decltype(&ompi_finalize_f)>("mpi_finalize_");
        hora::mpi::end_session();
        Fint code = MPI_SUCCESS;
        next(&code);
        return code;
    });
}

// -- reductions -------------------------------------------------------------

void ompi_allreduce_f(void* from, void* into, Fint* count, Fint* type, Fint* operation,
                      Fint* communicator, Fint* error) {
    *error = intercepted("MPI_Allreduce", [&] {
        static const auto next = find_next<decltype(&ompi_allreduce_f)>("mpi_allreduce_");
        const auto of = read_arguments(from, into, count, type, operation, communicator);
        const auto work = [&](std::uint64_t& ahead) {
            Fint code = MPI_SUCCESS;
            const auto own = hora::mpi::allreduce(of.from, of.into, of.count, of.type, of.operation,
                                                  of.communicator);
            ahead = own.value_or(0);
            if (!own) {
                next(from, into, count, type, operation, communicator, &code);
            }
            return code;
        };
        return record_reduction(
            [&] { return describe_allreduce(of.count, of.type, of.communicator); }, work);
    });
}

void ompi_iallreduce_f(void* from, void* into, Fint* count, Fint* type, Fint* operation,
                       Fint* communicator, Fint* request, Fint* error) {
    *error = intercepted("MPI_Iallreduce", [&] {
        static const auto next = find_next<decltype(&ompi_iallreduce_f)>("mpi_iallreduce_");
        const auto of = read_arguments(from, into, count, type, operation, communicator);
        const auto work = [&] {
            MPI_Request begun = MPI_REQUEST_NULL;
            Fint code = MPI_SUCCESS;
            if (hora::mpi::begin_allreduce(of.from, of.into, of.count, of.type, of.operation,
                                           of.communicator, &begun)) {
                *request = PMPI_Request_c2f(begun);
            } else {
                next(from, into, count, type, operation, communicator, request, &code);
            }
            return code;
        };
        return record_begin([&] { return describe_iallreduce(of.count, of.type, of.communicator); },
                            work, [&] { return PMPI_Request_f2c(*request); });
    });
}

// -- communicators ----------------------------------------------------------

void ompi_comm_disconnect_f(Fint* communicator, Fint* error) {
    *error = intercepted("MPI_Comm_disconnect", [&] {
        static const auto next =
            find_next<decltype(&ompi_comm_disconnect_f)>("mpi_comm_disconnect_");
        hora::mpi::finish_all(PMPI_Comm_f2c(*communicator));
        Fint code = MPI_SUCCESS;
        next(communicator, &code);
        return code;
    });
}

// -- waiting ----------------------------------------------------------------

void ompi_wait_f(Fint* request, Fint* status, Fint* error) {
    static const auto next = find_next<decltype(&ompi_wait_f)>("mpi_wait_");
    help(1, request, Wait::all);
    FortranEnding ending(1, request);
    next(request, ending.statuses(status), error);
    ending.all(*error);
}

void ompi_waitall_f(Fint* count, Fint* requests, Fint* statuses, Fint* error) {
    static const auto next = find_next<decltype(&ompi_waitall_f)>("mpi_waitall_");
    help(*count, requests, Wait::all);
    FortranEnding ending(*count, requests);
    next(count, requests, ending.statuses(statuses), error);
    ending.all(*error);
}

void ompi_waitany_f(Fint* count, Fint* requests, Fint* index, Fint* status, Fint* error) {
    static const auto next = find_next<decltype(&ompi_waitany_f)>("mpi_waitany_");
    help(*count, requests, Wait::any);
    FortranEnding ending(*count, requests);
    next(count, requests, index, ending.statuses(status), error);
    ending.one(*error, *index);
}

void ompi_waitsome_f(Fint* count, Fint* requests, Fint* completed, Fint* indices, Fint* statuses,
                     Fint* error) {
    static const auto next = find_next<decltype(&ompi_waitsome_f)>("mpi_waitsome_");
    help(*count, requests, Wait::any);
    FortranEnding ending(*count, requests);
    next(count, requests, completed, indices, ending.statuses(statuses), error);
    ending.some(*error, *completed, indices);
}

void ompi_test_f(Fint* request, Fint* flag, Fint* status, Fint* error) {
    static const auto next = find_next<decltype(&ompi_test_f)>("mpi_test_");
    help(1, request, Wait::no);
    FortranEnding ending(1, request);
    next(request, flag, ending.statuses(status), error);
    ending.all(*error, *flag != 0);
}

void ompi_testall_f(Fint* count, Fint* requests, Fint* flag, Fint* statuses, Fint* error) {
    static const auto next = find_next<decltype(&ompi_testall_f)>("mpi_testall_");
    help(*count, requests, Wait::no);
    FortranEnding ending(*count, requests);
    next(count, requests, flag, ending.statuses(statuses), error);
    ending.all(*error, *flag != 0);
}

void ompi_testany_f(Fint* count, Fint* requests, Fint* index, Fint* flag, Fint* status,
                    Fint* error) {
    static const auto next = find_next<decltype(&ompi_testany_f)>("mpi_testany_");
    help(*count, requests, Wait::no);
    FortranEnding ending(*count, requests);
    next(count, requests, index, flag, ending.statuses(status), error);
    ending.one(*error, *index, *flag != 0);
}

void ompi_testsome_f(Fint* count, Fint* requests, Fint* completed, Fint* indices, Fint* statuses,
                     Fint* error) {
    static const auto next = find_next<decltype(&ompi_testsome_f)>("mpi_testsome_");
    help(*count, requests, Wait::no);
    FortranEnding ending(*count, requests);
    next(count, requests, completed, indices, ending.statuses(statuses), error);
    ending.some(*error, *completed, indices);
}

void ompi_request_get_status_f(Fint* request, Fint* flag, Fint* status, Fint* error) {
    static const auto next =
        find_next<decltype(&ompi_request_get_status_f)>("mpi_request_get_status_");
    help(1, request, Wait::no);
    next(request, flag, status, error);
}

// -- the same by their other names ------------------------------------------

#define HORA_ALSO_KNOWN_AS(name, other) decltype(other) name __attribute__((alias(#other)))
HORA_ALSO_KNOWN_AS(mpi_init_, ompi_init_f);
HORA_ALSO_KNOWN_AS(mpi_init_thread_, ompi_init_thread_f);
HORA_ALSO_KNOWN_AS(mpi_query_thread_, ompi_query_thread_f);
HORA_ALSO_KNOWN_AS(mpi_finalize_, ompi_finalize_f);
HORA_ALSO_KNOWN_AS(mpi_allreduce_, ompi_allreduce_f);
HORA_ALSO_KNOWN_AS(mpi_iallreduce_, ompi_iallreduce_f);
HORA_ALSO_KNOWN_AS(mpi_comm_disconnect_, ompi_comm_disconnect_f);
HORA_ALSO_KNOWN_AS(mpi_wait_, ompi_wait_f);
HORA_ALSO_KNOWN_AS(mpi_waitall_, ompi_waitall_f);
HORA_ALSO_KNOWN_AS(mpi_waitany_, ompi_waitany_f);
HORA_ALSO_KNOWN_AS(mpi_waitsome_, ompi_waitsome_f);
HORA_ALSO_KNOWN_AS(mpi_test_, ompi_test_f);
HORA_ALSO_KNOWN_AS(mpi_testall_, ompi_testall_f);
HORA_ALSO_KNOWN_AS(mpi_testany_, ompi_testany_f);
HORA_ALSO_KNOWN_AS(mpi_testsome_, ompi_testsome_f);
HORA_ALSO_KNOWN_AS(mpi_request_get_status_, ompi_request_get_status_f);
#undef HORA_ALSO_KNOWN_AS
}
#endif
