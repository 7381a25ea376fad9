// Trains a digit classifier on several ranks, as an example of a program that Hora can plan, watch
// and resize. It computes on CPUs only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <exception>
#include <string_view>

#include "contrib/mpi/training.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/shares.hpp"

namespace hora::trainer {
namespace {

constexpr std::uint64_t unsaid = ~std::uint64_t{0};

int exit_code(const Error& error) {
    return error.kind == ErrorKind::wrong_use ? 2 : 1;
}

// Prints on one rank only; all ranks leave with the same kind of code.
template <class T>
bool has_failed(const Exchange& exchange, const Expected<T>& outcome) {
    const Exchange::Verdict verdict = exchange.agree(!outcome.has_value());
    if (verdict.speaks) {
        fmt::print(stderr, "hora-train-digits: {}\n", outcome.error().message);
    }
    return verdict.failed;
}

// Ranks that know nothing of each other would each train alone and write over each other's files.
Expected<void> check_launch(const Exchange& exchange) {
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    if (exchange.size() == 1 && tasks != nullptr && std::string_view(tasks) != "1") {
        return failure(fmt::format(
            "srun started {} tasks but MPI sees one rank; use srun --mpi=pmix (or pmi2)", tasks));
    }
    return {};
}

Expected<std::vector<std::uint64_t>> gather_shares(const Exchange& exchange,
                                                   const Settings& settings) {
    std::vector<std::optional<std::uint64_t>> asked;
    for (const std::uint64_t share : exchange.gather(settings.share.value_or(unsaid))) {
        asked.push_back(share == unsaid ? std::nullopt : std::optional(share));
    }
    return to_shares(asked, settings.batch);
}

int train(const Exchange& exchange, const Settings& settings) {
    const auto shares = gather_shares(exchange, settings);
    if (has_failed(exchange, shares)) {
        return shares ? 2 : exit_code(shares.error());
    }
    const auto digits = read_digits(settings.data, settings.seed);
    if (has_failed(exchange, digits)) {
        return 1;
    }
    if (exchange.is_first()) {
        fmt::print("{} training and {} test images, {} parameters, batch {} on {} ranks ({})\n",
                   digits->training.size(), digits->test.size(), Network::parameter_count,
                   settings.batch, exchange.size(), fmt::join(*shares, " "));
    }
    Training training(settings, *digits, exchange, *shares);
    if (const auto resumed = training.resume(); has_failed(exchange, resumed)) {
        return 1;
    }
    training.run();
    return 0;
}

int run(int argc, char** argv) {
    const Exchange exchange;
    const auto settings = read_settings(argc, argv);
    if (has_failed(exchange, settings)) {
        return settings ? 2 : exit_code(settings.error());
    }
    if (!settings->help.empty()) {
        if (exchange.is_first()) {
            fmt::print("{}", settings->help);
        }
        return 0;
    }
    if (settings->checkpoints.empty()) {
        requests::stop_listening();
    }
    if (const auto launched = check_launch(exchange); has_failed(exchange, launched)) {
        return 1;
    }
    return train(exchange, *settings);
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    hora::trainer::requests::listen();  // first of all: a signal may come at any time
    try {
        return hora::trainer::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "hora-train-digits: {}; this is a bug\n", error.what());
        return 1;
    }
}
