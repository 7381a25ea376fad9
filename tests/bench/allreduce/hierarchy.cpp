// How long do a ring of all ranks and a hierarchical all-reduce take, in SimGrid's SMPI? Arguments:
// the ranks of a node, which are neighbours, and sizes in bytes. Each line of output is a case: its
// bytes, the microseconds of the ring on its slowest rank and those that the planner's formula
// gives for links as the ranks measure them, then both for the hierarchy.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "plugins/mpi/mpi_transport.hpp"

namespace hora::mpi {
namespace {

// A ring over chunks of which each rank owns one.
class Ring {
  public:
    explicit Ring(MPI_Comm communicator) : communicator_(communicator) {
        MPI_Comm_rank(communicator, &rank_);
        MPI_Comm_size(communicator, &ranks_);
    }

    // What is in the vectors is of no matter here, so nothing is added.
    void reduce_scatter(std::vector<float>& vector, std::size_t bytes) const {
        turn(vector, bytes);
    }
    void all_gather(std::vector<float>& vector, std::size_t bytes) const { turn(vector, bytes); }
    int ranks() const { return ranks_; }

  private:
    void turn(std::vector<float>& vector, std::size_t bytes) const {
        const int chunk = static_cast<int>(bytes / sizeof(float)) / ranks_;
        float* const into = vector.data() + chunk;
        for (int round = 1; round < ranks_; ++round) {
            MPI_Sendrecv(vector.data(), chunk, MPI_FLOAT, (rank_ + 1) % ranks_, 0, into, chunk,
                         MPI_FLOAT, (rank_ + ranks_ - 1) % ranks_, 0, communicator_,
                         MPI_STATUS_IGNORE);
        }
    }

    MPI_Comm communicator_;
    int rank_ = 0;
    int ranks_ = 1;
};

// On the slowest rank.
Seconds time_of(const std::function<void()>& exchange) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    exchange();
    const double mine = MPI_Wtime() - begin;
    double slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return Seconds(slowest);
}

// As the first rank's communicator sees it, while all others wait.
domain::Link measure_link(MPI_Comm communicator, bool is_first) {
    double link[] = {0, 0};
    if (is_first) {
        const MessageTimes times = measure_message_times(communicator);
        link[0] = times.bandwidth().count();
        link[1] = times.latency().count();
    }
    MPI_Bcast(link, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return {Bandwidth(link[0]), Seconds(link[1])};
}

void run(int node, const std::vector<std::size_t>& sizes) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm of_node = MPI_COMM_NULL;
    MPI_Comm across = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank / node, rank, &of_node);
    MPI_Comm_split(MPI_COMM_WORLD, rank % node, rank, &across);
    const domain::Link inside = measure_link(of_node, rank / node == 0);
    const domain::Link between = measure_link(across, rank % node == 0);
    const Ring whole(MPI_COMM_WORLD);
    const Ring inner(of_node);
    const Ring outer(across);
    for (const std::size_t size : sizes) {
        std::vector<float> vector(size / sizeof(float));
        const std::size_t part = size / static_cast<std::size_t>(node);
        const Seconds ring = time_of([&] {
            whole.reduce_scatter(vector, size);
            whole.all_gather(vector, size);
        });
        const Seconds hierarchy = time_of([&] {
            inner.reduce_scatter(vector, size);
            outer.reduce_scatter(vector, part);
            outer.all_gather(vector, part);
            inner.all_gather(vector, size);
        });
        const Bytes bytes(static_cast<double>(size));
        const auto nodes = static_cast<std::uint64_t>(outer.ranks());
        const auto gpus = static_cast<std::uint64_t>(node);
        const Seconds ring_formula = cost::ring_exchange(bytes, nodes * gpus, between);
        const Seconds formula = cost::hierarchical_exchange(bytes, nodes, gpus, inside, between);
        if (rank == 0) {
            fmt::print("{} {:.3f} {:.3f} {:.3f} {:.3f}\n", size, ring.count() * 1e6,
                       ring_formula.count() * 1e6, hierarchy.count() * 1e6, formula.count() * 1e6);
        }
    }
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::vector<std::size_t> sizes;
    for (int i = 2; i < argc; ++i) {
        sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    }
    if (argc > 2) {
        hora::mpi::run(std::atoi(argv[1]), sizes);
    }
    MPI_Finalize();
    return argc > 2 ? 0 : 2;
}
