// May slurmctld leave plans for this daemon, and where?
#pragma once

#include <sys/types.h>

#include <string>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::horad {

// Where slurm.conf names several controllers, each of these folders has to be on storage that they
// share, as StateSaveLocation is: else a plan would be left behind on the host that went away. Why
// it may not be, in words for the administrator; empty: plans may be spooled.
std::string why_not_spooled(const slurm_conf_t& configuration, const std::string& state,
                            const std::string& history);

// A folder that only this user's slurmctld and this process may write to; readable for all unless
// the site keeps jobs private. Fails where such a folder cannot be had.
Expected<void> open_spool(const std::string& folder, uid_t slurm_user, bool is_private);

// Gone, unless records wait in it: then slurmctld can leave no more, and these are still found.
void close_spool(const std::string& folder);

}  // namespace hora::horad
