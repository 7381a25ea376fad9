// Is this host's slurmctld the one that acts?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "plugins/slurm/controllers.hpp"

namespace hora::horad {

enum class Role {
    acting,    // this host's slurmctld runs the cluster
    standby,   // another host's does, and this one may take over
    unlisted,  // slurm.conf does not name this host
};

// The place of this host among them, by its names and the addresses of its interfaces.
std::optional<std::size_t> own_place(std::span<const slurm::Controller> controllers);

struct Standing {
    Role role = Role::unlisted;
    std::string why;  // for the log
};

// `acting`: of the controllers, the one that answers first.
Standing standing_of(std::span<const slurm::Controller> controllers, std::optional<std::size_t> own,
                     std::size_t acting);

}  // namespace hora::horad
