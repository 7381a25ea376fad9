// Sums a long vector over all ranks again and again, as a trainer of a large network does, while
// one of them is late now and then. Knows nothing of Hora.
//
//   late_reducer NUMBERS ROUNDS LATE_RANK
//
// Every eighth round that rank sleeps for two seconds first: long even where four ranks share two
// busy processors. Rank 0 prints "wrong N": so many sums that are not what they must be, on all
// ranks together.
#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int numbers = std::atoi(argv[1]);
    const int rounds = std::atoi(argv[2]);
    const bool is_late = rank == std::atoi(argv[3]);
    std::vector<double> values(static_cast<std::size_t>(numbers));
    long wrong = 0;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < numbers; ++i) {
            values[static_cast<std::size_t>(i)] = rank + i % 97 + round;
        }
        if (is_late && round % 8 == 7) {
            std::this_thread::sleep_for(std::chrono::seconds(2));
        }
        MPI_Allreduce(MPI_IN_PLACE, values.data(), numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        const int of_ranks = ranks * (ranks - 1) / 2;
        for (int i = 0; i < numbers; ++i) {
            const double sum = of_ranks + ranks * (i % 97 + round);
            wrong += values[static_cast<std::size_t>(i)] != sum ? 1 : 0;
        }
    }
    long all = 0;
    MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("wrong %ld\n", all);
    }
    MPI_Finalize();
}
