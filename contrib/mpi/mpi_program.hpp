// What every trainer with MPI does before it trains.
#pragma once

#include <functional>

#include "contrib/mpi/mpi_exchange.hpp"
#include "contrib/trainer/settings.hpp"

namespace hora::trainer {

// Reads the settings, prints the help that is asked for, makes sure that the ranks know each other,
// and returns the exit code of `trains`, which all ranks call together.
int run_with_mpi(int argc, char** argv, const Program& program,
                 const std::function<int(MpiExchange&, const Settings&)>& trains);

}  // namespace hora::trainer
