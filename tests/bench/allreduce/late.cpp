// What does a late rank cost, in SimGrid's SMPI? Arguments: ring|bypass=owner|bypass=successor, the
// latter two also with +thread, the bytes of a chunk, the seconds that a rank takes to add or copy
// one, how many times as long one rank takes once, and which of its additions and copies that is,
// from 1 on. Every rank is one serial process: while it adds, its messages wait, but for +thread:
// then they go on. The first quarter of MPI's ranks reduce, the others are their clocks. Prints the
// microseconds of the reduction on its slowest rank, the number of wrong elements of all ranks, how
// often one went ahead, and the microseconds that the planner's formula gives (without a thread)
// for a hop as it is in a ring without a late rank.
#include <fmt/format.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/cost/late_rank.hpp"
#include "plugins/mpi/allreduce/allreduce.hpp"
#include "plugins/mpi/mpi_transport.hpp"

namespace hora::mpi {
namespace {

constexpr int late_rank = 1;

struct Lateness {
    std::size_t floats = 1;  // of a chunk
    Seconds handling;        // of a chunk
    double times = 0;        // of the handling, in addition to it
    int which = 1;
};

constexpr int message_tag = 1;  // of MpiTransport
constexpr int clock_tag = 2;

constexpr std::size_t threads = 2;
constexpr int clocks = 1 + threads;  // the first is for deadlines

std::uint32_t ranks_that_reduce() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return static_cast<std::uint32_t>(size) / (1 + clocks);
}

void sleep_for(Seconds time) {
    const timespec wait{.tv_sec = 0,
                        .tv_nsec = std::max(0L, static_cast<long>(time.count() * 1e9) + 1)};
    smpi_nanosleep(&wait, nullptr);
}

// Sends a rank that reduces an empty message at each of the times that it says, until that is
// infinite. A rank that polled for a time would let simulated time go by in steps.
void run_clock(int rank) {
    double until = 0;
    while (MPI_Recv(&until, 1, MPI_DOUBLE, rank, clock_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
           until < never.count()) {
        sleep_for(Seconds(until - MPI_Wtime()));
        const std::vector<std::byte> nothing = write_head({});
        MPI_Send(nothing.data(), static_cast<int>(nothing.size()), MPI_BYTE, rank, message_tag,
                 MPI_COMM_WORLD);
    }
}

class Busy final : public MpiTransport, public Worker {
  public:
    Busy(MPI_Comm communicator, const Lateness& lateness)
        : MpiTransport(communicator), lateness_(lateness) {}
    ~Busy() override {
        for (std::size_t clock = 0; clock < clocks; ++clock) {
            set(clock, never);
        }
    }

    std::uint32_t size() const override { return ranks_that_reduce(); }

    void progress(Handler& handler, Seconds until) override {
        WithoutWorker messages(handler);
        if (until <= now()) {
            return MpiTransport::progress(messages, until);
        }
        if (until < never) {
            set(0, until);
        }
        for (std::size_t thread = 0; thread < threads; ++thread) {
            if (ends_[thread]) {
                set(1 + thread, *ends_[thread]);
            }
        }
        MpiTransport::progress(messages, never);
    }

    // Without a thread for it.
    void performed(const Work& work) override { smpi_execute(time_of(work).count()); }

    bool is_full() const override {
        return std::ranges::all_of(ends_, [](const auto& end) { return end.has_value(); });
    }
    std::uint64_t begin(Work work) override {
        perform(work);
        const auto free = std::ranges::find(ends_, std::optional<Seconds>());
        *free = now() + time_of(work);
        return static_cast<std::uint64_t>(free - ends_.begin());
    }
    bool take_done(std::uint64_t thread) override {
        const bool is_done = is_over(ends_[thread]);
        ends_[thread] = is_done ? std::nullopt : ends_[thread];
        return is_done;
    }
    bool has_done() const override {
        return std::ranges::any_of(ends_, [this](const auto& end) { return is_over(end); });
    }

    // Counts the work of the next reduction, or of none.
    void expect_lateness(bool is_expected) { count_ = is_expected ? 0 : 1 << 30; }

  private:
    // MPI waits for messages alone; the clocks send one.
    class WithoutWorker final : public Handler {
      public:
        explicit WithoutWorker(Handler& handler) : handler_(handler) {}
        void received(std::shared_ptr<Buffer> message) override {
            handler_.received(std::move(message));
        }
        void sent(std::uint64_t message) override { handler_.sent(message); }

      private:
        Handler& handler_;
    };

    // What takes time is memory: two vectors are read and one is written in an addition.
    Seconds time_of(const Work& work) {
        const bool is_copy = work.vectors.size() == 1;
        const double vectors = is_copy ? 3 : static_cast<double>(work.vectors.size() + 1);
        const double chunks = work.bytes() / Bytes(lateness_.floats * sizeof(float));
        const bool is_late = rank() == late_rank && ++count_ == lateness_.which;
        return (chunks * vectors / 3 + (is_late ? lateness_.times : 0)) * lateness_.handling;
    }
    bool is_over(const std::optional<Seconds>& end) const { return end && *end <= now(); }
    void set(std::size_t clock, Seconds time) {
        if (std::exchange(set_[clock], time) != time) {
            const double seconds = time.count();
            MPI_Send(&seconds, 1, MPI_DOUBLE, static_cast<int>(rank() + (1 + clock) * size()),
                     clock_tag, MPI_COMM_WORLD);
        }
    }

    const Lateness lateness_;
    std::array<Seconds, clocks> set_{};
    std::array<std::optional<Seconds>, threads> ends_{};
    int count_ = 1 << 30;
};

// Any latency is short beside the time of the bytes: the ring's network.
const MessageTimes times({{Bytes(0), Seconds(1e-9), Seconds(1e-9)},
                          {Bytes(1e6), Seconds(1e-3), Seconds(1e-3)}});

class Bench {
  public:
    Bench(MPI_Comm ranks, const Lateness& lateness, std::optional<LatePartials> bypass,
          bool has_thread)
        : ranks_(ranks),
          transport_(MPI_COMM_WORLD, lateness),
          allreduce_(transport_, {.times = times, .bypass = bypass},
                     has_thread ? &transport_ : nullptr),
          vector_(lateness.floats * transport_.size()) {}

    struct Outcome {
        double microseconds = 0;
        double wrong = 0;
        double gone_ahead = 0;
    };

    Outcome reduce(bool is_late) {
        fill();
        transport_.expect_lateness(is_late);
        begin_together();
        const std::uint64_t gone_ahead_before = allreduce_.gone_ahead();
        const Seconds begin = transport_.now();
        allreduce_.begin({.element = Element::float32,
                          .from = reinterpret_cast<const std::byte*>(vector_.data()),
                          .into = reinterpret_cast<std::byte*>(vector_.data()),
                          .count = vector_.size()});
        while (!allreduce_.is_idle()) {
            allreduce_.progress(Urgency::blocking);
        }
        Outcome outcome{(transport_.now() - begin).count() * 1e6, wrong(),
                        static_cast<double>(allreduce_.gone_ahead() - gone_ahead_before)};
        MPI_Allreduce(MPI_IN_PLACE, &outcome.microseconds, 1, MPI_DOUBLE, MPI_MAX, ranks_);
        MPI_Allreduce(MPI_IN_PLACE, &outcome.wrong, 1, MPI_DOUBLE, MPI_SUM, ranks_);
        MPI_Allreduce(MPI_IN_PLACE, &outcome.gone_ahead, 1, MPI_DOUBLE, MPI_SUM, ranks_);
        return outcome;
    }

  private:
    // All ranks have one clock, and leave a barrier one after the other.
    void begin_together() {
        double begin = MPI_Wtime() + 1e-3;
        MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_DOUBLE, MPI_MAX, ranks_);
        sleep_for(Seconds(begin - MPI_Wtime()));
    }

    // Whole numbers: every order of adding is exact. They are the same again after so many.
    static constexpr std::size_t period = 1009;
    static float number(std::size_t rank, std::size_t i) {
        return static_cast<float>((rank * 17 + i * 7) % period);
    }

    void fill() {
        const std::size_t rank = transport_.rank();
        for (std::size_t i = 0; i < vector_.size(); ++i) {
            vector_[i] = number(rank, i);
        }
    }

    double wrong() const {
        const std::size_t ranks = transport_.size();
        std::vector<float> sums(period);
        for (std::size_t i = 0; i < period; ++i) {
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                sums[i] += number(rank, i);
            }
        }
        double wrong = 0;
        for (std::size_t i = 0; i < vector_.size(); ++i) {
            wrong += vector_[i] == sums[i % period] ? 0 : 1;
        }
        return wrong;
    }

    MPI_Comm ranks_;
    Busy transport_;
    Allreduce allreduce_;
    std::vector<float> vector_;
};

std::optional<LatePartials> bypass_of(std::string_view mode) {
    if (mode == "ring") {
        return std::nullopt;
    }
    return mode.starts_with("bypass=successor") ? LatePartials::to_successor
                                                : LatePartials::to_owner;
}

Seconds predicted(std::string_view mode, const Lateness& lateness, Seconds in_time) {
    const std::uint32_t ranks = ranks_that_reduce();
    const cost::LateRank late{.ranks = ranks,
                              .handling = lateness.handling,
                              .hop = in_time / (2.0 * (ranks - 1)) - lateness.handling,
                              .lateness = lateness.times * lateness.handling};
    return bypass_of(mode) ? cost::bypassing_ring(late, static_cast<std::uint64_t>(lateness.which))
                           : cost::ring_with_late_rank(late);
}

void run(std::string_view mode, const Lateness& lateness) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int reducing = static_cast<int>(ranks_that_reduce());
    const bool is_clock = rank >= reducing;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, is_clock ? 1 : 0, 0, &half);
    if (is_clock) {
        return run_clock(rank % reducing);
    }
    Bench bench(half, lateness, bypass_of(mode), mode.ends_with("+thread"));
    constexpr int enough_to_know_the_pace = 6;
    double in_time = 0;  // microseconds
    for (int i = 0; i < enough_to_know_the_pace; ++i) {
        in_time = bench.reduce(false).microseconds;
    }
    const auto outcome = bench.reduce(true);
    if (rank == 0) {
        fmt::print("{:.3f} {:.0f} {:.0f} {:.3f}\n", outcome.microseconds, outcome.wrong,
                   outcome.gone_ahead,
                   predicted(mode, lateness, Seconds(in_time * 1e-6)).count() * 1e6);
    }
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc == 6) {
        hora::mpi::run(argv[1], {.floats = std::strtoull(argv[2], nullptr, 10) / sizeof(float),
                                 .handling = hora::Seconds(std::atof(argv[3])),
                                 .times = std::atof(argv[4]),
                                 .which = std::atoi(argv[5])});
        // A clock may still have a rank to call.
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return argc == 6 ? 0 : 2;
}
