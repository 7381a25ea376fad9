// Do all ranks end, and does one say why, where it throws while the others wait for it? Started
// alone it starts itself on four ranks, of which the last throws.
#include "contrib/mpi/mpi_program.hpp"

#include <sys/wait.h>

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

// Of `timeout` the exit code is 124 where the ranks do not end.
bool passes(const std::string& program, const Case& test) {
    setenv(mark, test.thrown, 1);
    const std::string line = "timeout --kill-after=5 120 mpirun -np 4 '" + program + "' 2>&1";
    std::FILE* const ranks = popen(line.c_str(), "r");
    std::string output;
    std::array<char, 4096> part{};
    std::size_t size = 0;
    while (ranks != nullptr && (size = std::fread(part.data(), 1, part.size(), ranks)) > 0) {
        output.append(part.data(), size);
    }
    const int status = ranks == nullptr ? -1 : pclose(ranks);
    const bool passes = WIFEXITED(status) && WEXITSTATUS(status) == 1 &&
                        output.find(test.said) != std::string::npos;
    std::printf("%s: %s\n", test.thrown, passes ? "passed" : "FAILED");
    if (!passes) {
        std::fputs(output.c_str(), stdout);
    }
    return passes;
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    using namespace hora::trainer;
    if (std::getenv(mark) != nullptr) {
        return run_with_mpi(1, argv, {.name = "a trainer", .description = "trains", .data = "none"},
                            train_on_rank);
    }
    hora::mpi::test::set_up_mpirun();
    bool all_pass = argc > 0;
    for (const Case& test : cases) {
        all_pass = passes(argv[0], test) && all_pass;
    }
    return all_pass ? 0 : 1;
}
