// Trains a digit classifier on several GPUs, as an example of a program with NCCL that Hora can
// plan, watch and resize.
#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <memory>

#include "contrib/nccl/communicator.hpp"
#include "contrib/nccl/gpu.hpp"
#include "contrib/nccl/gpu_learner.hpp"
#include "contrib/nccl/kernel_check.hpp"
#include "contrib/nccl/ring_check.hpp"
#include "contrib/nccl/tcp_exchange.hpp"
#include "contrib/trainer/digits/train_digits.hpp"
#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/say.hpp"

namespace hora::trainer {
namespace {

constexpr const char* name = "hora-train-digits-nccl";
constexpr const char* description =
    "Trains a small convolutional network on 1,797 images of handwritten digits, on one GPU a "
    "rank\n"
    "with NCCL: each rank takes its share of every batch, and the result does not depend on the\n"
    "number of ranks. Gradients are exchanged while others are still computed.\n"
    "\n"
    "RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT say who the ranks are and where "
    "they\n"
    "meet, as Hora sets them; without WORLD_SIZE there is one. MPI is not needed.";

struct Options {
    std::size_t bucket_bytes = 16'384;
    double join_wait = 120;
    bool checks_kernels = false;
    bool verifies_ring = false;
    RingCheck ring;

    std::chrono::milliseconds wait() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::duration<double>(join_wait));
    }
};

void add_options(CLI::App& app, Options& options) {
    app.add_option("--bucket-bytes", options.bucket_bytes,
                   "gradients that are known are exchanged once they are so many bytes")
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 30))
        ->capture_default_str();
    app.add_option("--join-wait", options.join_wait, "seconds to wait for the other ranks")
        ->check(number_range(0.1, 86'400.0))
        ->capture_default_str();
    app.add_flag("--check-kernels", options.checks_kernels,
                 "compare each kernel with the CPU, and do nothing else");
    CLI::Option* const verify =
        app.add_flag("--verify-ring", options.verifies_ring,
                     "run NCCL with its log on, let 'hora ring' judge the rings that it has built, "
                     "and do nothing else; exit code 1 where one is slower than predicted")
            ->excludes("--check-kernels");
    CLI::Option* const topology =
        app.add_option("--topology", options.ring.topology,
                       "with --verify-ring: the machine, as 'hora ring' takes it; without it and "
                       "--cluster the machine itself is looked at")
            ->type_name("FILE")
            ->needs(verify);
    app.add_option("--cluster", options.ring.cluster,
                   "with --verify-ring: the cluster, as 'hora ring' takes it; ranks on several "
                   "nodes need it")
        ->type_name("FILE")
        ->needs(verify)
        ->excludes(topology);
    app.add_option("--hora", options.ring.hora, "with --verify-ring: the hora command")
        ->type_name("PROGRAM")
        ->capture_default_str()
        ->needs(verify);
}

int verify(TcpExchange& exchange, const Options& options) {
    const auto log = NcclLog::begin();
    if (has_failed(exchange, name, log)) {
        return 1;
    }
    const auto communicator = Communicator::open(exchange, options.wait());
    if (has_failed(exchange, name, communicator)) {
        return 1;
    }
    const auto code = verify_ring(exchange, options.ring, **log);
    if (has_failed(exchange, name, code)) {
        return code ? 1 : exit_code(code.error());
    }
    return static_cast<int>(
        exchange.copy_from_first(static_cast<std::uint64_t>(*code)).value_or(1));
}

int run_on_gpu(TcpExchange& exchange, const Launch& launch, const Settings& settings,
               const Options& options) {
    if (has_failed(exchange, name, choose_gpu(launch.local_rank))) {
        return 1;
    }
    if (options.checks_kernels) {
        return has_failed(exchange, name, check_kernels(exchange.is_first())) ? 1 : 0;
    }
    if (options.verifies_ring) {
        return verify(exchange, options);
    }
    const auto communicator = Communicator::open(exchange, options.wait());
    if (has_failed(exchange, name, communicator)) {
        return 1;
    }
    return train_digits(
        exchange, settings,
        [&](const Digits& digits,
            std::span<const std::uint64_t> shares) -> Expected<std::unique_ptr<Learner>> {
            return GpuLearner::make(
                digits, **communicator,
                {.seed = settings.seed,
                 .rate = settings.rate,
                 .bucket_bytes = options.bucket_bytes,
                 .most_samples = shares[static_cast<std::size_t>(exchange.rank())]});
        });
}

int run(int argc, char** argv) {
    Options options;
    const auto settings =
        read_settings(argc, argv,
                      {.name = name,
                       .description = description,
                       .data = digits_format,
                       .defaults = {.data = default_digits},
                       .add_options = [&](CLI::App& app) { add_options(app, options); }});
    const auto launch = read_launch();
    if (settings && !settings->help.empty()) {
        return !launch || launch->rank == 0 ? print_help(*settings) : 0;
    }
    if (!launch) {
        say(stderr, "{}: {}\n", name, launch.error().message);
        return exit_code(launch.error());
    }
    const auto exchange = TcpExchange::open(*launch, options.wait());
    if (!exchange) {
        say(stderr, "{}: {}\n", name, exchange.error().message);
        return 1;
    }
    if (has_failed(**exchange, name, settings)) {
        return settings ? 2 : exit_code(settings.error());
    }
    return run_on_gpu(**exchange, *launch, *settings, options);
}

}  // namespace
}  // namespace hora::trainer

int main(int argc, char** argv) {
    hora::trainer::requests::listen();  // first of all: a signal may come at any time
    try {
        return hora::trainer::run(argc, argv);
    } catch (const std::exception& error) {
        hora::trainer::say(stderr, "hora-train-digits-nccl: {}; this is a bug\n", error.what());
        return 1;
    }
}
