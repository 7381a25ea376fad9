// Do all ranks end, and does one say why, where it throws while the others wait for it? Started
// alone it starts itself on four ranks, of which the last throws.
#include "contrib/mpi/mpi_program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::trainer {
namespace {

constexpr const char* mark = "HORA_PROGRAM_UNDER_MPI";

struct Case {
    const char* thrown;
    const char* said;
};
constexpr Case cases[] = {
    {"bad_alloc", "a trainer: rank 3 has no memory left\n"},
    {"logic_error", "a trainer: rank 3: an error; this is a bug\n"},
};

int train_on_rank(MpiExchange& exchange, const Settings& /*settings*/) {
    const std::string_view thrown = std::getenv(mark);
    if (exchange.rank() == 3 && thrown == "bad_alloc") {
        throw std::bad_alloc();
    }
    if (exchange.rank() == 3) {
        throw std::logic_error("an error");
    }
    return exchange.gather(1) ? 0 : 1;  // waits for all
}

// What the ranks print, and in which way they ended: of `timeout`, 124 where they did not.
struct End {
    std::string output;
    int status = 0;
};

End run_on_four_ranks(const char* program, const Case& test) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        return {};
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        setenv(mark, test.thrown, 1);
        mpi::test::set_up_mpirun();
        _exit(
            mpi::test::become({"timeout", "--kill-after=5", "120", "mpirun", "-np", "4", program}));
    }
    close(ends[1]);
    End end;
    std::array<char, 4096> part{};
    ssize_t size = 0;
    while ((size = read(ends[0], part.data(), part.size())) > 0) {
        end.output.append(part.data(), static_cast<std::size_t>(size));
    }
    close(ends[0]);
    waitpid(child, &end.status, 0);
    return end;
}

bool passes(const char* program, const Case& test) {
    const End end = run_on_four_ranks(program, test);
    const bool has_ended = WIFEXITED(end.status) && WEXITSTATUS(end.status) == 1;
    const bool is_said = end.output.find(test.said) != std::string::npos;
    std::printf("%s: %s\n", test.thrown, has_ended && is_said ? "passed" : "FAILED");
    if (!has_ended || !is_said) {
        std::fputs(end.output.c_str(), stdout);
    }
    return has_ended && is_said;
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    using namespace hora::trainer;
    if (std::getenv(mark) != nullptr) {
        return run_with_mpi(1, argv, {.name = "a trainer", .description = "trains", .data = "none"},
                            train_on_rank);
    }
    bool all_pass = argc > 0;
    for (const Case& test : cases) {
        all_pass = passes(argv[0], test) && all_pass;
    }
    return all_pass ? 0 : 1;
}
