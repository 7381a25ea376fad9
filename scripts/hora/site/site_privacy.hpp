// What does the site keep from other users?
#pragma once

#include <slurm/slurm.h>

#include "scripts/hora/site/state_files.hpp"

namespace hora::scripts {

// PrivateData and SlurmUser of slurm.conf.
inline Privacy privacy_of(const slurm_conf_t& configuration) {
    constexpr unsigned of_accounts =
        PRIVATE_DATA_ACCOUNTS | PRIVATE_DATA_USERS | PRIVATE_DATA_USAGE;
    return {.hides_jobs = (configuration.private_data & PRIVATE_DATA_JOBS) != 0,
            .hides_accounts = (configuration.private_data & of_accounts) != 0,
            .slurmctld = group_of(configuration.slurm_user_id)};
}

}  // namespace hora::scripts
