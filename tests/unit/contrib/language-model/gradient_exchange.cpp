// Does what each rank learned arrive on all ranks, once? Started alone it starts itself on four
// ranks. All gradients are whole numbers, which floats add without error.
#include "contrib/language-model/gradient_exchange.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::trainer {
namespace {

constexpr const char* mark = "HORA_GRADIENTS_UNDER_MPI";
constexpr std::uint32_t vocabulary = 60;
constexpr std::uint32_t width = 3;
constexpr std::size_t inner = 7;
constexpr std::uint64_t steps = 25;
constexpr float rate = 2;
using Arrays = WordNetwork::Arrays;

// Parameters and nothing else.
class Tables final : public WordNetwork {
  public:
    Tables() : WordNetwork({.vocabulary = vocabulary, .width = width}) { parameters() = zeros(); }
    std::size_t window() const override { return 2; }
    std::size_t predicted() const override { return 1; }
    std::size_t inner_size() const override { return inner; }
    double learn(std::span<const std::uint32_t>, float, Arrays&) override { return 0; }
    double loss(std::span<const std::uint32_t>) override { return 0; }
};

// The words of a rank's samples in a step, and what it learns of all rows.
std::vector<std::uint32_t> words_of(int rank, std::uint64_t step) {
    const auto first = static_cast<std::uint32_t>(step * 13 + static_cast<std::uint64_t>(rank) * 7);
    return {first % vocabulary, (first + 31) % vocabulary};
}

void learn(int rank, std::uint64_t step, Arrays& gradient) {
    const auto value = [&](std::size_t i) {
        return static_cast<float>((i * 5 + step * 3 + static_cast<std::uint64_t>(rank) * 11) % 4);
    };
    for (std::size_t i = 0; i < gradient.inner.size(); ++i) {
        gradient.inner[i] += value(i);
    }
    for (std::size_t i = 0; i < gradient.output.size(); ++i) {
        gradient.output[i] += value(i);
    }
    for (const std::uint32_t word : words_of(rank, step)) {
        for (std::size_t i = word * width; i < (word + 1) * width; ++i) {
            gradient.input[i] += value(i);
        }
    }
}

void add(Arrays& to, const Arrays& from, float factor) {
    const auto each = [factor](std::vector<float>& a, const std::vector<float>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] += factor * b[i];
        }
    };
    each(to.input, from.input);
    each(to.inner, from.inner);
    each(to.output, from.output);
}

bool equal(const Arrays& a, const Arrays& b) {
    return a.input == b.input && a.inner == b.inner && a.output == b.output;
}

struct Case {
    const char* what;
    ExchangeChoice choice;
};

const Case cases[] = {
    {"all rows, all-reduce", {}},
    {"all rows, server", {.way = ExchangeWay::server}},
    {"all rows, pairs", {.way = ExchangeWay::hierarchy, .group = 2}},
    {"some rows, all-reduce", {.rate = 0.2, .seed = 3}},
    {"some rows, server", {.way = ExchangeWay::server, .rate = 0.2, .seed = 3}},
    {"some rows, one node", {.way = ExchangeWay::hierarchy, .rate = 0.2, .outer_rate = 0.2}},
    {"fewer rows between pairs",
     {.way = ExchangeWay::hierarchy, .rate = 0.3, .outer_rate = 0.1, .group = 2}},
    {"all rows in groups of three, and few between them",
     {.way = ExchangeWay::hierarchy, .rate = 1, .outer_rate = 0.05, .group = 3}},
    {"no rows but the words'", {.rate = 0}},
};

int failures = 0;

void expect(bool holds, const char* what, const char* where) {
    if (!holds) {
        ++failures;
        std::printf("%s: does not hold: %s\n", where, what);
    }
}

bool is_sampled(const ExchangeChoice& choice) {
    return choice.rate < 1 || choice.outer_rate < 1;
}

Arrays all_learned(std::uint64_t end) {
    Arrays learned = Tables().zeros();
    for (std::uint64_t step = 0; step < end; ++step) {
        for (int rank = 0; rank < 4; ++rank) {
            learn(rank, step, learned);
        }
    }
    return learned;
}

void expect_all_arrives(const Case& test, int rank) {
    Tables network;
    GradientExchange exchange(network, test.choice);
    Arrays gradient = network.zeros();
    for (std::uint64_t step = 0; step < steps; ++step) {
        learn(rank, step, gradient);
        mpi::WordSet words(vocabulary);
        for (const std::uint32_t word : words_of(rank, step)) {
            words.add(word);
        }
        exchange.exchange(step, words, gradient, rate);
    }
    Arrays wanted = network.zeros();
    add(wanted, all_learned(steps), -rate);
    expect(equal(network.parameters(), wanted) != is_sampled(test.choice),
           "some of it waits, where it is sampled", test.what);
    exchange.settle(gradient, rate);
    expect(equal(network.parameters(), wanted), "all has arrived at last", test.what);
    expect(equal(gradient, network.zeros()), "nothing is left to send", test.what);
    const double sent = exchange.bytes_per_step();
    exchange.settle(gradient, rate);
    expect(exchange.bytes_per_step() == sent, "nothing is sent once it is settled", test.what);
    const double all = (inner + vocabulary * (2 * width + 1)) * sizeof(float);
    expect((sent < 0.9 * all) == is_sampled(test.choice), "fewer bytes, where it is sampled",
           test.what);
}

// What P4 prints: rows that are not chosen are lost.
void expect_lost(int rank, double frequent) {
    Tables network;
    GradientExchange exchange(network,
                              {.rate = 0.2, .frequent = frequent, .keeps = false, .seed = 5});
    const mpi::RowChoice choice(vocabulary, domain::shares_for(vocabulary, 0.2, frequent), 5);
    Arrays gradient = network.zeros();
    Arrays wanted = network.zeros();
    for (std::uint64_t step = 0; step < steps; ++step) {
        learn(rank, step, gradient);
        mpi::WordSet own(vocabulary);
        mpi::WordSet all(vocabulary);
        Arrays sum = network.zeros();
        for (int other = 0; other < 4; ++other) {
            learn(other, step, sum);
            for (const std::uint32_t word : words_of(other, step)) {
                all.add(word);
                if (other == rank) {
                    own.add(word);
                }
            }
        }
        Arrays chosen = network.zeros();
        chosen.inner = sum.inner;
        chosen.input = sum.input;
        for (const std::uint32_t row : choice.choose(step, all)) {
            for (std::size_t i = row * (width + 1); i < (row + 1) * (width + 1); ++i) {
                chosen.output[i] = sum.output[i];
            }
        }
        add(wanted, chosen, -rate);
        exchange.exchange(step, own, gradient, rate);
    }
    const double sent = exchange.bytes_per_step();
    exchange.settle(gradient, rate);
    expect(exchange.bytes_per_step() == sent, "what is lost is not sent to settle", "P4");
    expect(equal(network.parameters(), wanted), "the rows of V_base, V_α and V_β alone", "P4");
}

int run() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const Case& test : cases) {
        expect_all_arrives(test, rank);
    }
    for (const double frequent : {0.5, 0.0}) {
        expect_lost(rank, frequent);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    using namespace hora;
    if (std::getenv(trainer::mark) == nullptr) {
        return mpi::test::start_on_four_ranks(argc, argv, trainer::mark);
    }
    MPI_Init(&argc, &argv);
    const int code = trainer::run();
    MPI_Finalize();
    return code;
}
