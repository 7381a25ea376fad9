// What the parts of an MPI program that knows nothing of Hora share.
#pragma once

#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

extern "C" int seen_by_tool();

namespace hora::mpi::test {

inline int rank_in(MPI_Comm communicator) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    return rank;
}

// Counts and prints what does not hold.
class Verdict {
  public:
    void expect(bool holds, std::string_view what) {
        if (!holds) {
            ++failures_;
            fmt::print("rank {}: {}\n", rank_in(MPI_COMM_WORLD), what);
        }
    }
    int failures() const { return failures_; }

  private:
    int failures_ = 0;
};

// What a rank brings; whole numbers, so that every order of adding is exact.
inline std::vector<double> numbers(std::uint64_t reduction, int rank, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<double>(
            (reduction * 31 + static_cast<std::uint64_t>(rank) * 17 + i * 7) % 1009);
    }
    return values;
}

// Types, operations, counts, memory and communicators; and those that MPI reduces.
void try_blocking(Verdict& verdict);
// Only where HORA_ALLREDUCE_THREAD asks for them.
void try_threads_for_additions(Verdict& verdict);
// The library reduces nothing, or what blocks alone.
void try_blocking_only(Verdict& verdict, bool is_left_to_mpi);
void try_what_is_left_to_mpi(Verdict& verdict);
// Requests in any order and company, completed in every way.
void try_requests(Verdict& verdict, int rounds);
// Nothing waits for a reduction, and all goes on.
void try_progress(Verdict& verdict);
void try_freed_communicators(Verdict& verdict);
void try_threads(Verdict& verdict);
void try_fortran(Verdict& verdict);
void try_environment(Verdict& verdict);

}  // namespace hora::mpi::test
