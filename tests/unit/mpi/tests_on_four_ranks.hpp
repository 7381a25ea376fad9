// Tests of GoogleTest that all of four ranks run, in one order.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>

#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::mpi::test {

constexpr int ranks = 4;

inline int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// What main() gives back. Where the mark is not set the program starts itself on four ranks.
// `level`: what MPI is to do for threads.
inline int run_on_four_ranks(int argc, char** argv, const char* mark, int level) {
    if (std::getenv(mark) == nullptr) {
        return start_on_four_ranks(argc, argv, mark);
    }
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &provided);
    testing::InitGoogleTest(&argc, argv);
    const int failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}

}  // namespace hora::mpi::test
