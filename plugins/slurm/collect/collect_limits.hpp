// What do QOS and associations still allow, and to whom?
#pragma once

#include "plugins/slurm/collect/collect.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

// Fills allowances and users. Where Slurm lets a QOS lift a limit of an association, both are
// kept: a plan may ask for less than Slurm would give, never for more.
void collect_limits(const assoc_mgr_info_msg_t& limits, Collected& collected);

}  // namespace hora::slurm
