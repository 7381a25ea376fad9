// Trains a digit classifier on several ranks, as an example of a program that Hora can plan, watch
// and resize. It computes on CPUs only.
#include <memory>

#include "contrib/mpi/cpu_learner.hpp"
#include "contrib/mpi/mpi_program.hpp"
#include "contrib/trainer/digits/train_digits.hpp"

namespace hora::trainer {
namespace {

constexpr const char* description =
    "Trains a small convolutional network on 1,797 images of handwritten digits, with MPI: each\n"
    "rank takes its share of every batch, and the result does not depend on the number of ranks\n"
    "(with HORA_BATCH_MIN a little: they estimate the noise of their gradients from other parts).\n"
    "It computes on CPUs only, also where the cluster calls them GPUs.";

int train_on_cpus(MpiExchange& exchange, const Settings& settings) {
    return train_digits(
        exchange, settings, [&](const Digits& digits, auto) -> Expected<std::unique_ptr<Learner>> {
            return std::make_unique<CpuLearner>(digits, exchange, settings.seed, settings.rate);
        });
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    using namespace hora::trainer;
    return run_with_mpi(argc, argv,
                        {.name = "hora-train-digits",
                         .description = description,
                         .data = digits_format,
                         .defaults = {.data = default_digits}},
                        train_on_cpus);
}
