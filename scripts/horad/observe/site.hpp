// What has the site set for the daemon?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/collect/collect.hpp"

namespace hora::horad {

struct Site {
    read::Settings settings;
    slurm::SiteFacts facts;
    std::string warning;  // of a setting that is to be changed before it is refused; empty: none
};

// hora.toml and the environment, all of them checked.
Expected<Site> load_site();

}  // namespace hora::horad
