// Trains a digit classifier on several ranks, as an example of a program that Hora can plan, watch
// and resize. It computes on CPUs only.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include "contrib/mpi/cpu_learner.hpp"
#include "contrib/mpi/mpi_exchange.hpp"
#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/train.hpp"

namespace hora::trainer {
namespace {

constexpr const char* name = "hora-train-digits";
constexpr const char* description =
    "Trains a small convolutional network on 1,797 images of handwritten digits, with MPI: each\n"
    "rank takes its share of every batch, and the result does not depend on the number of ranks.\n"
    "It computes on CPUs only, also where the cluster calls them GPUs.";

// Ranks that know nothing of each other would each train alone and write over each other's files.
Expected<void> check_launch(const Exchange& exchange) {
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    if (exchange.size() == 1 && tasks != nullptr && std::string_view(tasks) != "1") {
        return failure(fmt::format(
            "srun started {} tasks but MPI sees one rank; use srun --mpi=pmix (or pmi2)", tasks));
    }
    return {};
}

int run(int argc, char** argv) {
    MpiExchange exchange;
    const auto settings = read_settings(argc, argv,
                                        {.name = name,
                                         .description = description,
                                         .data = digits_format,
                                         .defaults = {.data = default_digits}});
    if (has_failed(exchange, name, settings)) {
        return settings ? 2 : exit_code(settings.error());
    }
    if (!settings->help.empty()) {
        if (exchange.is_first()) {
            fmt::print("{}", settings->help);
        }
        return 0;
    }
    if (has_failed(exchange, name, check_launch(exchange))) {
        return 1;
    }
    return train_digits(
        exchange, *settings, [&](const Digits& digits, auto) -> Expected<std::unique_ptr<Learner>> {
            return std::make_unique<CpuLearner>(digits, exchange, settings->seed, settings->rate);
        });
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
