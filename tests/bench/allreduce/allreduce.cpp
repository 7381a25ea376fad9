// How long do all-reduces take, in SimGrid's SMPI? Arguments: mpi|hora, then grid and sizes in
// bytes, or fusion|single and the sizes of the tensors of one step. Each line of output is a case:
// its bytes, its microseconds on the slowest rank, the messages of all ranks, and the microseconds
// that the planner's formula gives for a link as the ranks measure theirs (0 for MPI's own).
#include <fmt/format.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "plugins/mpi/allreduce/allreduce.hpp"
#include "plugins/mpi/mpi_transport.hpp"

namespace hora::mpi {
namespace {

// Vectors of all ranks share their memory: what is in them is of no matter here.
struct Vector {
    explicit Vector(std::size_t bytes)
        : bytes(bytes),
          from(static_cast<std::byte*>(SMPI_SHARED_MALLOC(bytes))),
          into(static_cast<std::byte*>(SMPI_SHARED_MALLOC(bytes))) {}
    ~Vector() {
        SMPI_SHARED_FREE(from);
        SMPI_SHARED_FREE(into);
    }
    Vector(const Vector&) = delete;

    int floats() const { return static_cast<int>(bytes / sizeof(float)); }

    std::size_t bytes;
    std::byte* from;
    std::byte* into;
};

using Vectors = std::vector<std::unique_ptr<Vector>>;

class Reducer {
  public:
    virtual ~Reducer() = default;
    // All of them at once, or each when the one before is done.
    virtual void reduce(const Vectors& vectors, bool at_once) = 0;
    virtual std::uint64_t messages() const { return 0; }
    virtual Seconds predicted(Bytes, std::uint64_t) const { return Seconds(0); }
};

class MpisOwn final : public Reducer {
  public:
    void reduce(const Vectors& vectors, bool at_once) override {
        std::vector<MPI_Request> requests(vectors.size());
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            const Vector& one = *vectors[i];
            if (at_once) {
                MPI_Iallreduce(one.from, one.into, one.floats(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD,
                               &requests[i]);
            } else {
                MPI_Allreduce(one.from, one.into, one.floats(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            }
        }
        if (at_once) {
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        }
    }
};

class Horas final : public Reducer {
  public:
    explicit Horas(MPI_Comm communicator)
        : transport_(communicator),
          times_(measure_message_times(communicator)),
          allreduce_(transport_, {.times = times_}) {}

    void reduce(const Vectors& vectors, bool at_once) override {
        for (const auto& one : vectors) {
            allreduce_.begin({.element = Element::float32,
                              .from = one->from,
                              .into = one->into,
                              .count = static_cast<std::size_t>(one->floats())});
            if (!at_once) {
                wait();
            }
        }
        wait();
    }
    std::uint64_t messages() const override { return allreduce_.messages(); }
    Seconds predicted(Bytes size, std::uint64_t ranks) const override {
        return cost::exchange_time(
            domain::Exchange::automatic, size,
            cost::one_on_each_node(ranks, {times_.bandwidth(), times_.latency()}));
    }

  private:
    void wait() {
        while (!allreduce_.is_idle()) {
            allreduce_.progress(Urgency::blocking);
        }
    }

    MpiTransport transport_;
    MessageTimes times_;
    Allreduce allreduce_;
};

// The mean of three, on the slowest rank.
void measure(Reducer& reducer, const Vectors& vectors, bool at_once) {
    constexpr int repeats = 3;
    const std::uint64_t messages_before = reducer.messages();
    double seconds = 0;
    for (int i = 0; i < repeats; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        reducer.reduce(vectors, at_once);
        double mine = MPI_Wtime() - begin;
        double slowest = 0;
        MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        seconds += slowest / repeats;
    }
    double messages = static_cast<double>(reducer.messages() - messages_before) / repeats;
    MPI_Allreduce(MPI_IN_PLACE, &messages, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    std::size_t bytes = 0;
    for (const auto& one : vectors) {
        bytes += one->bytes;
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Seconds predicted =
        reducer.predicted(Bytes(static_cast<double>(bytes)), static_cast<std::uint64_t>(ranks));
    if (rank == 0) {
        fmt::print("{} {:.3f} {:.0f} {:.3f}\n", bytes, seconds * 1e6, messages,
                   predicted.count() * 1e6);
    }
}

int run(std::string_view whose, std::string_view what, const std::vector<std::size_t>& sizes) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    std::unique_ptr<Reducer> reducer;
    if (whose == "hora") {
        reducer = std::make_unique<Horas>(own);
    } else {
        reducer = std::make_unique<MpisOwn>();
    }
    if (what == "grid") {
        for (const std::size_t size : sizes) {
            Vectors one;
            one.push_back(std::make_unique<Vector>(size));
            measure(*reducer, one, false);
        }
    } else {
        Vectors all;
        for (const std::size_t size : sizes) {
            all.push_back(std::make_unique<Vector>(size));
        }
        measure(*reducer, all, what == "fusion");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::vector<std::size_t> sizes;
    for (int i = 3; i < argc; ++i) {
        sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    }
    const int code = argc > 3 ? hora::mpi::run(argv[1], argv[2], sizes) : 2;
    MPI_Finalize();
    return code;
}
