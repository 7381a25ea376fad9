// Trains a language model on several ranks, which exchange all gradients or the rows that matter.
//
// Environment: HORA_SAMPLE_RATE, HORA_EXCHANGE
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "contrib/language-model/feed_forward.hpp"
#include "contrib/language-model/language_learner.hpp"
#include "contrib/language-model/recurrent.hpp"
#include "contrib/mpi/mpi_program.hpp"
#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/train.hpp"

namespace hora::trainer {
namespace {

constexpr const char* name = "hora-train-language";
constexpr const char* description =
    "Trains a small language model on real text, with MPI: each rank takes its share of every\n"
    "batch. It computes on CPUs only, also where the cluster calls them GPUs.\n"
    "\n"
    "With --sample-rate below 1 a step exchanges the gradients of the rows of its own words, of\n"
    "frequent words and of some at random; the others are kept and added when their turn comes.";

struct Options {
    std::string network = "recurrent";
    std::uint64_t words = 200'000;
    std::uint32_t vocabulary = 10'000;
    std::uint32_t width = 64;
    std::size_t length = 20;
    std::string way = "allreduce";
    ExchangeChoice exchange;
    std::optional<double> outer_rate;
    bool loses = false;

    bool is_recurrent() const { return network == "recurrent"; }
};

void add_options(CLI::App& app, Options& options) {
    app.add_option("--network", options.network,
                   "recurrent: one tanh layer, --length words a sample; feed-forward: one tanh "
                   "layer on 4 words, 1 word a sample")
        ->check(CLI::IsMember({"recurrent", "feed-forward"}))
        ->capture_default_str();
    app.add_option("--words", options.words,
                   "that the text is cut to; each 20th block of 200 is held out")
        ->check(CLI::Range(std::uint64_t{4'000}, std::uint64_t{100'000'000}))
        ->capture_default_str();
    app.add_option(
           "--vocabulary", options.vocabulary,
           "words that have a number of their own, the most frequent ones; all others are one")
        ->check(CLI::Range(2U, 10'000'000U))
        ->capture_default_str();
    app.add_option("--width", options.width, "of a word's vector and of the hidden layer")
        ->check(CLI::Range(1U, 65'536U))
        ->capture_default_str();
    app.add_option("--length", options.length, "words that a sample of the recurrent network has")
        ->check(CLI::Range(1U, 1'000U))
        ->capture_default_str();
    app.add_option("--exchange", options.way,
                   "allreduce: by all ranks; server: rank 0 adds up, and sends the sums; "
                   "hierarchy: in groups, and between them (HORA_EXCHANGE)")
        ->check(CLI::IsMember({"allreduce", "server", "hierarchy"}))
        ->capture_default_str();
    app.add_option("--sample-rate", options.exchange.rate,
                   "rows that are exchanged beside those of the step's words, frequent and random "
                   "ones, of all rows (HORA_SAMPLE_RATE); 1: all")
        ->check(number_range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--frequent-rows", options.exchange.frequent,
                   "of the rows that --sample-rate adds the part that is the most frequent ones; "
                   "0: all are random")
        ->check(number_range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--outer-rate", options.outer_rate,
                   "the same between the groups of --exchange=hierarchy (default: --sample-rate)")
        ->check(number_range(0.0, 1.0));
    app.add_option("--group", options.exchange.group,
                   "ranks of a group, one after the other; 0: those of a node")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    app.add_flag("--no-feedback", options.loses,
                 "lose the rows that are not sent; else they are kept until their turn");
}

// What the planner chose, where the option is silent; not a number where it is wrong.
double environment_rate() {
    const char* const text = std::getenv("HORA_SAMPLE_RATE");
    if (text == nullptr || *text == '\0') {
        return 1;
    }
    char* end = nullptr;
    const double rate = std::strtod(text, &end);
    return *end == '\0' ? rate : std::nan("");
}

// What the planner counted on, where the option is silent. It names a hierarchy alone.
std::string environment_way() {
    const char* const text = std::getenv("HORA_EXCHANGE");
    return text != nullptr && std::string_view(text) == "hierarchy" ? "hierarchy" : "allreduce";
}

Expected<void> check(Options& options) {
    ExchangeChoice& exchange = options.exchange;
    exchange.way = options.way == "server"      ? ExchangeWay::server
                   : options.way == "hierarchy" ? ExchangeWay::hierarchy
                                                : ExchangeWay::allreduce;
    if (!(exchange.rate >= 0 && exchange.rate <= 1)) {
        return wrong_use(
            fmt::format("HORA_SAMPLE_RATE=\"{}\" is not a number from 0 to 1; correct it",
                        std::getenv("HORA_SAMPLE_RATE")));
    }
    if (exchange.way != ExchangeWay::hierarchy && (options.outer_rate || exchange.group != 0)) {
        return wrong_use("--outer-rate and --group need --exchange=hierarchy");
    }
    exchange.outer_rate = options.outer_rate.value_or(exchange.rate);
    exchange.keeps = !options.loses;
    // Rows that only one group has would be lost to the others for good.
    if (options.loses && exchange.outer_rate != exchange.rate) {
        return wrong_use("--no-feedback needs --outer-rate to be --sample-rate");
    }
    return {};
}

// A sample is at least one window, and MPI counts in int.
Expected<void> check_sizes(const Text& text, const Options& options) {
    if (options.is_recurrent() && text.test.size() <= options.length) {
        return wrong_use(fmt::format(
            "{} words are held out, and a sample has --length={} and one more; give fewer, or "
            "more --words",
            text.test.size(), options.length));
    }
    const double width = options.width;
    const double parameters = 5 * width * width + (2 * width + 1) * text.vocabulary;
    if (parameters > std::numeric_limits<int>::max()) {
        return wrong_use(fmt::format(
            "the network has about {:.1e} parameters, and this trainer exchanges at most {}; give "
            "a smaller --width or --vocabulary",
            parameters, std::numeric_limits<int>::max()));
    }
    return {};
}

// Ranks that differ would wait for each other's messages in vain, or learn different words.
Expected<void> check_ranks(MpiExchange& exchange, const Text& text, const Options& options) {
    const ExchangeChoice& choice = options.exchange;
    const std::string given =
        fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", text.checksum, text.training.size(),
                    text.vocabulary, options.network, options.width, options.length,
                    static_cast<int>(choice.way), choice.rate, choice.outer_rate, choice.frequent,
                    choice.group, choice.keeps, choice.seed);
    const auto other = exchange.find_other(std::hash<std::string>()(given));
    if (!other) {
        return unexpected(other.error());
    }
    if (*other) {
        return wrong_use(fmt::format(
            "rank {} has another text or other options than rank 0; give all ranks the same, "
            "HORA_SAMPLE_RATE and HORA_EXCHANGE too",
            **other));
    }
    return {};
}

std::unique_ptr<WordNetwork> make_network(const Options& options, std::uint32_t vocabulary,
                                          std::uint64_t seed) {
    const WordNetwork::Sizes sizes{.vocabulary = vocabulary, .width = options.width};
    return options.is_recurrent() ? make_recurrent(sizes, options.length, seed)
                                  : make_feed_forward(sizes, seed);
}

int train_language(MpiExchange& exchange, const Settings& settings, Options& options) {
    if (has_failed(exchange, name, check(options))) {
        return 2;
    }
    options.exchange.seed = settings.seed;
    const auto text = read_text(settings.data, options.words, options.vocabulary);
    if (has_failed(exchange, name, text)) {
        return 1;
    }
    if (has_failed(exchange, name, check_sizes(*text, options)) ||
        has_failed(exchange, name, check_ranks(exchange, *text, options))) {
        return 2;
    }
    return train(exchange, settings, [&](auto) -> Expected<std::unique_ptr<Learner>> {
        return std::make_unique<LanguageLearner>(
            *text, exchange, make_network(options, text->vocabulary, settings.seed),
            options.exchange, settings.rate);
    });
}

int run(int argc, char** argv) {
    Options options;
    options.exchange.rate = environment_rate();
    options.way = environment_way();
    return run_with_mpi(argc, argv,
                        {.name = name,
                         .description = description,
                         .data = "text, gzip'd or not",
                         .defaults = {.data = default_text, .epochs = 3, .rate = 1},
                         .add_options = [&](CLI::App& app) { add_options(app, options); }},
                        [&](MpiExchange& exchange, const Settings& settings) {
                            return train_language(exchange, settings, options);
                        });
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    return hora::trainer::run(argc, argv);
}
