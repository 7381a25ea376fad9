// Which hosts may run slurmctld, and which of them does?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

// One SlurmctldHost= of slurm.conf, in its order: the first that is up acts.
struct Controller {
    std::string host;
    std::string address;
};

std::vector<Controller> controllers_of(const slurm_conf_t& configuration);

// The first that answers; empty where none does. One that only stands by answers too. May take some
// seconds for each that is down.
std::optional<std::size_t> find_acting(std::size_t count);

// Does one of them act? Waits for one that stands by to take over, and may do so for minutes.
bool does_act();

}  // namespace hora::slurm
