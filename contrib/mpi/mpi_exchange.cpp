// What the ranks tell each other, all of it by MPI.
#include "contrib/mpi/mpi_exchange.hpp"

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include "plugins/mpi/hora_allreduce.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace hora::trainer {

MpiExchange::MpiExchange() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiExchange::~MpiExchange() {
    MPI_Finalize();
}

void MpiExchange::abort() {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();  // not reached
}

void MpiExchange::sum(std::span<double> values) const {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

Expected<void> MpiExchange::broadcast(std::span<const std::span<std::byte>> parts) {
    switch (mpi::broadcast_start(MPI_COMM_WORLD, parts)) {
        case mpi::Start::same:
            return {};
        case mpi::Start::sizes_differ:
            return failure("the ranks train networks of different sizes; start all with one build");
        case mpi::Start::content_differs:
            break;
    }
    return failure("a rank did not get the parameters of rank 0; check the network and MPI");
}

Expected<std::vector<std::uint64_t>> MpiExchange::gather(std::uint64_t value) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size_));
    MPI_Allgather(&value, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return all;
}

Expected<void> MpiExchange::while_first_waits(const std::function<void()>& waits,
                                              const std::function<void()>& idle) {
    if (is_first()) {
        waits();
    }
    // A plain barrier would spin on every CPU for as long as rank 0 waits.
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    while (is_done == 0) {
        if (!is_first()) {
            idle();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    return {};
}

}  // namespace hora::trainer
