// How long do ranks exchange the gradients of a step of P4's recurrent network, in SimGrid's SMPI?
// Arguments: a text, allreduce|server|hierarchy, the rate, the rate between groups, the ranks of a
// group, and the part of the rows beside the words' that is the most frequent ones. Prints the
// seconds of a step on its slowest rank, in the mean of some, and the MB that a rank gave (in a
// hierarchy, between groups); then the seconds of a ring and the MB that the planner's formulae
// give, for the slowest link as the ranks measure it and half of those rows. Computation takes no
// time.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "contrib/language-model/gradient_exchange.hpp"
#include "contrib/language-model/text.hpp"
#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/sampled_gradient.hpp"
#include "plugins/mpi/mpi_transport.hpp"

namespace hora::trainer {
namespace {

// P4's, and the Brown corpus' vocabulary. A mini-batch is 64 sentences on each rank.
constexpr std::uint32_t vocabulary = 49'036;
constexpr std::uint32_t width = 1'024;
constexpr std::size_t words_a_rank = 64 * 20;
constexpr std::uint64_t steps = 2;

// Parameters, and nothing that learns them.
class Tables final : public WordNetwork {
  public:
    explicit Tables(std::uint32_t words) : WordNetwork({.vocabulary = words, .width = width}) {
        parameters() = zeros();
    }
    std::size_t window() const override { return 2; }
    std::size_t predicted() const override { return 1; }
    std::size_t inner_size() const override { return width * (2 * width + std::size_t{1}); }
    double learn(std::span<const std::uint32_t>, float, Arrays&) override { return 0; }
    double loss(std::span<const std::uint32_t>) override { return 0; }
};

domain::Workload workload_of(WordNetwork& network, std::uint64_t words) {
    const auto bytes = [](std::size_t floats) { return floats * sizeof(float); };
    const std::uint64_t row = bytes(width);
    return {.data_type = {},
            .layers = {{.weight_bytes = vocabulary * row, .row_bytes = row, .words = words},
                       {.mac = 1, .weight_bytes = bytes(network.inner_size())},
                       {.mac = 1,
                        .weight_bytes = vocabulary * (row + bytes(1)),
                        .row_bytes = row + bytes(1),
                        .words = words}}};
}

void print_predicted(WordNetwork& network, double rate, int ranks, const mpi::MessageTimes& times) {
    const auto count = static_cast<std::uint64_t>(ranks);
    const cost::SentGradient sent =
        cost::sent_gradient(workload_of(network, words_a_rank), count, rate);
    const domain::Link link{times.bandwidth(), times.latency()};
    const Seconds seconds = cost::ring_exchange(sent.words, count, link) +
                            cost::ring_exchange(sent.total(), count, link);
    fmt::print("{} {}\n", seconds.count(), sent.total().count() / 1e6);
}

ExchangeChoice choice_of(char** arguments) {
    const std::string_view way = arguments[0];
    return {.way = way == "server"      ? ExchangeWay::server
                   : way == "hierarchy" ? ExchangeWay::hierarchy
                                        : ExchangeWay::allreduce,
            .rate = std::atof(arguments[1]),
            .outer_rate = std::atof(arguments[2]),
            .frequent = std::atof(arguments[4]),
            .group = std::atoi(arguments[3])};
}

int run(const char* path, char** arguments) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto text = read_text(path, 1'000'000, vocabulary);
    if (!text) {
        fmt::print(stderr, "{}\n", text.error().message);
        return 1;
    }
    Tables network(text->vocabulary);
    GradientExchange exchange(network, choice_of(arguments));
    WordNetwork::Arrays gradient = network.zeros();
    double seconds = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
        mpi::WordSet words(text->vocabulary);
        const std::size_t first =
            (step * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank)) *
            words_a_rank;
        for (std::size_t i = first; i < first + words_a_rank; ++i) {
            words.add(text->training[i * 131 % text->training.size()]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        exchange.exchange(step, words, gradient, 1);
        seconds += MPI_Wtime() - begin;
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const mpi::MessageTimes times = mpi::measure_message_times(MPI_COMM_WORLD);
    if (rank == 0) {
        fmt::print("{} {}\n", seconds / steps, exchange.bytes_per_step() / 1e6);
        print_predicted(network, std::atof(arguments[1]), ranks, times);
    }
    return 0;
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int code = argc == 7 ? hora::trainer::run(argv[1], argv + 2) : 2;
    MPI_Finalize();
    return code;
}
