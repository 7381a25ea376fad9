// Does an MPI program that knows nothing of Hora get the same sums when the library is preloaded?
// Started alone it starts itself on four ranks, in several ways. Argument: the number of rounds of
// random requests.
#include <dlfcn.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/unit/mpi/four_ranks.hpp"
#include "tests/unit/mpi/preload/program.hpp"

namespace hora::mpi::test {
namespace {

constexpr int nowhere = -1;
// Seconds; a rank that waits for a call that another does not make is a failure.
constexpr const char* longest_run = "300";

struct Run {
    const char* name;
    // Of the first rank, and of the three others; empty: not set.
    const char* first;
    const char* others;
    const char* further;  // variable
    // The library is not preloaded into this one.
    int rank_without = nowhere;
    // HORA_TEST_FAULT of rank 1, and of the three others; see faults.cpp.
    const char* fault = "";
    const char* others_fault = "";
    int expected = 0;  // exit code
};

constexpr Run runs[] = {
    {"all", "ring", "ring", ""},
    {"threads", "ring", "ring", ""},
    {"all", "bypass", "bypass", "HORA_ALLREDUCE_THREAD=1"},
    {"blocking-only", "ring", "ring", "HORA_ALLREDUCE_NONBLOCKING=mpi"},
    {"left-to-mpi", "mpi", "mpi", ""},
    {"left-to-mpi", "ring", "mpi", ""},
    {"left-to-mpi", "", "ring", ""},
    {"left-to-mpi", "rung", "rung", ""},
    {"left-to-mpi", "ring", "ring", "", 0},
    {"left-to-mpi", "bypass", "bypass", "", 1},
    {"left-to-mpi", "ring", "ring", "HORA_TRACE_DIR=/nonexistent", 3},
    {"left-to-mpi", "ring", "ring", "", nowhere, "commit"},
    {"left-to-mpi", "ring", "ring", "", nowhere, "get", "hurry", EX_UNAVAILABLE},
};

int run_in_mpi(const std::string& name, int rounds) {
    Verdict verdict;
    try_environment(verdict);
    const int seen = seen_by_tool();
    if (name == "threads") {
        try_threads(verdict);
        try_requests(verdict, rounds / 4);
    } else if (name == "all") {
        try_threads_for_additions(verdict);
        try_blocking(verdict);
        try_what_is_left_to_mpi(verdict);
        try_requests(verdict, rounds);
        try_progress(verdict);
        try_freed_communicators(verdict);
        try_fortran(verdict);
    } else {
        try_blocking_only(verdict, name == "left-to-mpi");
    }
    verdict.expect(name != "left-to-mpi" || seen_by_tool() > seen, "MPI reduced nothing");
    int failures = verdict.failures();
    PMPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failures == 0 ? 0 : 1;
}

void add_rank(std::vector<std::string>& words, const std::string& program, const Run& run, int rank,
              const std::string& rounds) {
    // Open MPI's Fortran comes after a Fortran program's own libraries, as here.
    const bool has_faults = *run.fault != '\0';
    const std::string user =
        std::string("libm.so.6:libmpi_mpifh.so.40") + (has_faults ? ":" HORA_FAULTS : "");
    const std::string preloaded = rank == run.rank_without ? user : HORA_LIBRARY ":" + user;
    const char* const value = rank == 0 ? run.first : run.others;
    words.insert(words.end(), {"-np", "1", "env", "HORA_TEST_RUN=" + std::string(run.name),
                               "HORA_TEST_PRELOAD=" + user});
    if (*value != '\0') {
        words.push_back("HORA_ALLREDUCE=" + std::string(value));
    }
    if (*run.further != '\0') {
        words.emplace_back(run.further);
    }
    if (has_faults) {
        words.push_back("HORA_TEST_FAULT=" + std::string(rank == 1 ? run.fault : run.others_fault));
    }
    words.insert(words.end(), {"LD_PRELOAD=" + preloaded, program, rounds});
}

bool passes(const char* program, const Run& run, const std::string& rounds) {
    std::vector<std::string> words = {"mpirun", "--timeout", longest_run};
    for (int rank = 0; rank < 4; ++rank) {
        if (rank > 0) {
            words.emplace_back(":");
        }
        add_rank(words, program, run, rank, rounds);
    }
    const pid_t child = fork();
    if (child == 0) {
        _exit(become(words));
    }
    int status = 0;
    waitpid(child, &status, 0);
    const bool is_right = WIFEXITED(status) && WEXITSTATUS(status) == run.expected;
    fmt::print("{}, HORA_ALLREDUCE \"{}\" and \"{}\"{}{}: {}\n", run.name, run.first, run.others,
               run.rank_without == nowhere
                   ? ""
                   : fmt::format(", not preloaded into rank {}", run.rank_without),
               *run.fault == '\0' ? "" : fmt::format(", fault \"{}\"", run.fault),
               is_right ? "passed" : "FAILED");
    return is_right;
}

// A program that calls PMIx where there is none gets an error.
bool returns_error_without_pmix(const char* program) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("HORA_TEST_RUN", "no-pmix", 1);
        setenv("LD_PRELOAD", HORA_LIBRARY, 1);
        _exit(become({program}));
    }
    int status = 0;
    waitpid(child, &status, 0);
    const bool is_right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    fmt::print("PMIx_Commit without PMIx: {}\n", is_right ? "passed" : "FAILED");
    return is_right;
}

int commit_without_pmix() {
    using Commit = int (*)();
    const auto commit = reinterpret_cast<Commit>(dlsym(RTLD_DEFAULT, "PMIx_Commit"));
    return commit != nullptr && commit() != 0 ? 0 : 1;
}

}  // namespace
}  // namespace hora::mpi::test

int main(int argc, char** argv) {
    using namespace hora::mpi::test;
    const char* const name = std::getenv("HORA_TEST_RUN");
    const std::string rounds = argc > 1 ? argv[1] : "300";
    if (name == nullptr) {
#if !defined(OPEN_MPI)
        fmt::print(
            "skipped: MPICH does not start through PMIx, and so has nothing of the library\n");
        return 77;
#endif
        set_up_mpirun();
        bool all_pass = returns_error_without_pmix(argv[0]);
        for (const Run& run : runs) {
            all_pass = passes(argv[0], run, rounds) && all_pass;
        }
        return all_pass ? 0 : 1;
    }
    if (name == std::string("no-pmix")) {
        return commit_without_pmix();
    }
    if (name == std::string("threads")) {
        int level = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    } else {
        MPI_Init(&argc, &argv);
    }
    const int code = run_in_mpi(name, std::atoi(rounds.c_str()));
    MPI_Finalize();
    return code;
}
