// How long do all-reduces take, in SimGrid's SMPI? Arguments: mpi|hora, then grid and sizes in
// bytes, or the bytes of a buffer and the sizes of the tensors of one step, which travel fusion:
// all at once, buffers: in buffers of so many bytes, one after the other. Each line of output is a
// case: its bytes, its microseconds on the slowest rank, the messages of all ranks, and the
// microseconds that the planner's formula gives for a link as the ranks measure theirs (for MPI's
// own: of a ring).
#include <fmt/format.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/cost/fusion.hpp"
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
    virtual domain::Exchange kind() const { return domain::Exchange::ring; }
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
    Horas(MPI_Comm communicator, const MessageTimes& times)
        : transport_(communicator), allreduce_(transport_, {.times = times}) {}

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
    domain::Exchange kind() const override { return domain::Exchange::automatic; }

  private:
    void wait() {
        while (!allreduce_.is_idle()) {
            allreduce_.progress(Urgency::blocking);
        }
    }

    MpiTransport transport_;
    Allreduce allreduce_;
};

Vectors vectors_of(std::span<const Bytes> sizes) {
    Vectors vectors;
    for (const Bytes size : sizes) {
        vectors.push_back(std::make_unique<Vector>(static_cast<std::size_t>(size.count())));
    }
    return vectors;
}

// The mean of three, on the slowest rank.
void measure(Reducer& reducer, const Vectors& vectors, bool at_once, Seconds predicted) {
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
    if (rank == 0) {
        fmt::print("{} {:.3f} {:.0f} {:.3f}\n", bytes, seconds * 1e6, messages,
                   predicted.count() * 1e6);
    }
}

// In SMPI as in MPI libraries the latency grows with the message: what one of this size takes
// beside its bytes.
domain::Link link_of(const MessageTimes& times, Bytes message) {
    const Bandwidth bandwidth = times.bandwidth();
    return {bandwidth, std::max(times.latency(), times.of(message) - message / bandwidth)};
}

int run(std::string_view whose, std::string_view what, std::vector<Bytes> sizes) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    const MessageTimes times = measure_message_times(own);
    std::unique_ptr<Reducer> reducer;
    if (whose == "hora") {
        reducer = std::make_unique<Horas>(own, times);
    } else {
        reducer = std::make_unique<MpisOwn>();
    }
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto members = [&](const domain::Link& link) {
        return cost::one_on_each_node(static_cast<std::uint64_t>(ranks), link);
    };
    const domain::Link link{times.bandwidth(), times.latency()};
    if (what == "grid") {
        for (const Bytes size : sizes) {
            measure(*reducer, vectors_of({&size, 1}), false,
                    cost::exchange_time(reducer->kind(), size, members(link)));
        }
    } else {
        const Bytes buffer = sizes.front();
        sizes.erase(sizes.begin());
        const std::vector<Bytes> buffers = cost::fused_buffers(sizes, buffer);
        const bool at_once = what == "fusion";
        Seconds predicted;
        if (at_once) {
            predicted = cost::fused_exchange(sizes, buffer, reducer->kind(), members(link));
        } else {
            for (const Bytes each : buffers) {
                predicted += cost::fused_exchange({&each, 1}, buffer, reducer->kind(),
                                                  members(link_of(times, each / ranks)));
            }
        }
        measure(*reducer, vectors_of(at_once ? sizes : buffers), at_once, predicted);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::vector<hora::Bytes> sizes;
    for (int i = 3; i < argc; ++i) {
        sizes.emplace_back(std::atof(argv[i]));
    }
    const int code = argc > 3 ? hora::mpi::run(argv[1], argv[2], sizes) : 2;
    MPI_Finalize();
    return code;
}
