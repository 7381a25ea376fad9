// What every trainer with MPI does before it trains.
#include "contrib/mpi/mpi_program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/say.hpp"

namespace hora::trainer {
namespace {

// Ranks that know nothing of each other would each train alone and write over each other's files.
Expected<void> check_launch(const Exchange& exchange) {
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    if (exchange.size() == 1 && tasks != nullptr && std::string_view(tasks) != "1") {
        return failure(fmt::format(
            "srun started {} tasks but MPI sees one rank; use srun --mpi=pmix (or pmi2)", tasks));
    }
    return {};
}

int run(MpiExchange& exchange, int argc, char** argv, const Program& program,
        const std::function<int(MpiExchange&, const Settings&)>& trains) {
    const auto settings = read_settings(argc, argv, program);
    if (has_failed(exchange, program.name, settings)) {
        return settings ? 2 : exit_code(settings.error());
    }
    if (!settings->help.empty()) {
        return exchange.is_first() ? print_help(*settings) : 0;
    }
    if (has_failed(exchange, program.name, check_launch(exchange))) {
        return 1;
    }
    return trains(exchange, *settings);
}

}  // namespace

int run_with_mpi(int argc, char** argv, const Program& program,
                 const std::function<int(MpiExchange&, const Settings&)>& trains) {
    requests::listen();  // first of all: a signal may come at any time
    MpiExchange exchange;
    try {
        return run(exchange, argc, argv, program, trains);
    } catch (const std::bad_alloc&) {
        say(stderr, "{}: rank {} has no memory left\n", program.name, exchange.rank());
    } catch (const std::exception& error) {
        say(stderr, "{}: rank {}: {}; this is a bug\n", program.name, exchange.rank(),
            error.what());
    }
    MpiExchange::abort();
}

}  // namespace hora::trainer
