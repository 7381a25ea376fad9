// How is slurmctld asked as a job's owner, by a daemon that may do everything?
#pragma once

#include <cstdint>
#include <functional>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// Calls with the rights of this user, and comes back with its own. What root or an operator changes
// of a job is exempt from limits for ever; what its owner changes is not. Fails, with nothing
// called, where this process may not take the user's rights: it needs root's, or CAP_SETUID and
// CAP_SETGID.
Expected<void> as_user(std::uint32_t uid, const std::function<void()>& call);

}  // namespace hora::slurm
