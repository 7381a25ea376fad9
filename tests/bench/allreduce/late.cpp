// What does a late rank cost, in SimGrid's SMPI? Arguments: ring, the seconds that a rank takes to
// add or copy one chunk of 4 KB, how many times as long one rank takes once, and which of its
// additions and copies that is, from 1 on. Every rank is one serial process: while it adds, its
// messages wait. Prints the microseconds of the reduction on its slowest rank, and the number of
// wrong elements of all ranks.
#include <fmt/format.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "plugins/mpi/allreduce/allreduce.hpp"
#include "plugins/mpi/mpi_transport.hpp"

namespace hora::mpi {
namespace {

constexpr std::size_t floats_of_chunk = 1000;
constexpr int late_rank = 1;

struct Lateness {
    Seconds handling;  // of a chunk
    double times = 0;  // of the handling, in addition to it
    int which = 1;
};

class Busy final : public MpiTransport {
  public:
    Busy(MPI_Comm communicator, const Lateness& lateness)
        : MpiTransport(communicator), lateness_(lateness) {}

    void worked(Bytes bytes) override {
        const double chunks = bytes / Bytes(floats_of_chunk * sizeof(float));
        const bool is_late = rank() == late_rank && ++count_ == lateness_.which;
        smpi_execute((chunks + (is_late ? lateness_.times : 0)) * lateness_.handling.count());
    }

    // Counts the work of the next reduction, or of none.
    void expect_lateness(bool is_expected) { count_ = is_expected ? 0 : 1 << 30; }

  private:
    const Lateness lateness_;
    int count_ = 1 << 30;
};

// Any latency is short beside the time of the bytes: the ring's network.
const MessageTimes times({{Bytes(0), Seconds(1e-9), Seconds(1e-9)},
                          {Bytes(1e6), Seconds(1e-3), Seconds(1e-3)}});

class Bench {
  public:
    explicit Bench(const Lateness& lateness)
        : transport_(MPI_COMM_WORLD, lateness),
          allreduce_(transport_, {.times = times}),
          vector_(floats_of_chunk * transport_.size()) {}

    struct Outcome {
        double microseconds = 0;
        double wrong = 0;
    };

    Outcome reduce(bool is_late) {
        fill();
        transport_.expect_lateness(is_late);
        MPI_Barrier(MPI_COMM_WORLD);
        const Seconds begin = transport_.now();
        allreduce_.begin({.element = Element::float32,
                          .from = reinterpret_cast<const std::byte*>(vector_.data()),
                          .into = reinterpret_cast<std::byte*>(vector_.data()),
                          .count = vector_.size()});
        while (!allreduce_.is_idle()) {
            allreduce_.progress(Urgency::blocking);
        }
        Outcome outcome{(transport_.now() - begin).count() * 1e6, wrong()};
        MPI_Allreduce(MPI_IN_PLACE, &outcome.microseconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &outcome.wrong, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return outcome;
    }

  private:
    // Whole numbers: every order of adding is exact.
    static float number(std::size_t rank, std::size_t i) {
        return static_cast<float>((rank * 17 + i * 7) % 1009);
    }

    void fill() {
        for (std::size_t i = 0; i < vector_.size(); ++i) {
            vector_[i] = number(transport_.rank(), i);
        }
    }

    double wrong() const {
        double wrong = 0;
        for (std::size_t i = 0; i < vector_.size(); ++i) {
            float sum = 0;
            for (std::size_t rank = 0; rank < transport_.size(); ++rank) {
                sum += number(rank, i);
            }
            wrong += vector_[i] == sum ? 0 : 1;
        }
        return wrong;
    }

    Busy transport_;
    Allreduce allreduce_;
    std::vector<float> vector_;
};

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc == 5 && std::string_view(argv[1]) == "ring") {
        hora::mpi::Bench bench({.handling = hora::Seconds(std::atof(argv[2])),
                                .times = std::atof(argv[3]),
                                .which = std::atoi(argv[4])});
        bench.reduce(false);
        const auto outcome = bench.reduce(true);
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0) {
            fmt::print("{:.3f} {:.0f}\n", outcome.microseconds, outcome.wrong);
        }
    }
    MPI_Finalize();
    return argc == 5 ? 0 : 2;
}
