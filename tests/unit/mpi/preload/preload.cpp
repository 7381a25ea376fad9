// Does an MPI program that knows nothing of Hora get the same sums when the library is preloaded?
// Started alone it starts itself on four ranks, in several ways. Argument: the number of rounds of
// random requests.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/unit/mpi/four_ranks.hpp"
#include "tests/unit/mpi/preload/program.hpp"

namespace hora::mpi::test {
namespace {

struct Run {
    const char* name;
    // Of the first rank, and of the three others; empty: not set.
    const char* first;
    const char* others;
    const char* further;  // variable
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

void add_ranks(std::vector<std::string>& words, const std::string& program, const Run& run,
               const char* value, int ranks, const std::string& rounds) {
    const std::string user = "libm.so.6";
    // Open MPI's Fortran comes after a Fortran program's own libraries, as here.
    const std::string preloaded = HORA_LIBRARY ":" + user + ":libmpi_mpifh.so.40";
    words.insert(words.end(),
                 {"-np", std::to_string(ranks), "env", "HORA_TEST_RUN=" + std::string(run.name),
                  "HORA_TEST_PRELOAD=" + user + ":libmpi_mpifh.so.40"});
    if (*value != '\0') {
        words.push_back("HORA_ALLREDUCE=" + std::string(value));
    }
    if (*run.further != '\0') {
        words.emplace_back(run.further);
    }
    words.insert(words.end(), {"LD_PRELOAD=" + preloaded, program, rounds});
}

bool passes(const char* program, const Run& run, const std::string& rounds) {
    std::vector<std::string> words = {"mpirun"};
    add_ranks(words, program, run, run.first, 1, rounds);
    words.emplace_back(":");
    add_ranks(words, program, run, run.others, 3, rounds);
    const pid_t child = fork();
    if (child == 0) {
        _exit(become(words));
    }
    int status = 0;
    waitpid(child, &status, 0);
    fmt::print("{}, HORA_ALLREDUCE \"{}\" and \"{}\": {}\n", run.name, run.first, run.others,
               status == 0 ? "passed" : "FAILED");
    return status == 0;
}

}  // namespace
}  // namespace hora::mpi::test

int main(int argc, char** argv) {
    using namespace hora::mpi::test;
    const char* const name = std::getenv("HORA_TEST_RUN");
    const std::string rounds = argc > 1 ? argv[1] : "300";
    if (name == nullptr) {
        set_up_mpirun();
        bool all_pass = true;
        for (const Run& run : runs) {
            all_pass = passes(argv[0], run, rounds) && all_pass;
        }
        return all_pass ? 0 : 1;
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
