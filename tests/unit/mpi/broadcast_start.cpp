// Does each rank start as rank 0 does, and does it notice where it does not? Started alone it
// starts itself on four ranks.
#include <cstdio>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#include "plugins/mpi/hora_allreduce.hpp"
#include "tests/unit/mpi/four_ranks.hpp"

namespace {

constexpr const char* mark = "HORA_BROADCAST_UNDER_MPI";
bool loses_bytes = false;
int failures = 0;

void expect(bool holds, const char* what) {
    if (!holds) {
        ++failures;
        std::printf("does not hold: %s\n", what);
    }
}

}  // namespace

// A network that loses what comes to the last rank.
extern "C" int MPI_Bcast(void* memory, int count, MPI_Datatype type, int root,
                         MPI_Comm communicator) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    std::vector<std::byte> elsewhere(static_cast<std::size_t>(count));
    return PMPI_Bcast(loses_bytes && rank == 3 ? elsewhere.data() : memory, count, type, root,
                      communicator);
}

int main(int argc, char** argv) {
    using hora::mpi::broadcast_start;
    using hora::mpi::Start;
    if (std::getenv(mark) == nullptr) {
        return hora::mpi::test::start_on_four_ranks(argc, argv, mark);
    }
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<float> parameters(1003, static_cast<float>(rank + 1));
    std::vector<double> state(17, rank + 2);
    std::int64_t step = rank + 3;
    const auto all = [&] {
        return broadcast_start(MPI_COMM_WORLD, std::span(parameters), std::span(state),
                               std::span(&step, 1));
    };
    expect(all() == Start::same, "all ranks start as rank 0 does");
    expect(parameters == std::vector<float>(1003, 1) && state == std::vector<double>(17, 2) &&
               step == 3,
           "each part is rank 0's");
    expect(broadcast_start(MPI_COMM_WORLD) == Start::same, "nothing is the same everywhere");

    loses_bytes = true;
    state.assign(17, rank);
    expect(all() == Start::content_differs, "all ranks know that one did not get it");
    loses_bytes = false;

    state.assign(rank == 2 ? 16 : 17, rank);
    expect(all() == Start::sizes_differ, "all ranks know that one has another size");
    expect(state.front() == rank, "and nothing was changed");
    state.assign(17, 0);
    parameters.resize(rank == 1 ? 1001 : 1003);
    state.resize(rank == 1 ? 18 : 17);
    expect(all() == Start::sizes_differ, "parts of other sizes with the same sum");
    PMPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
