// What does Slurm know of the cluster at this moment?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/site_nodes.hpp"

namespace hora::slurm {

// What Slurm does not know and the site's settings do.
struct SiteFacts {
    std::vector<domain::Device> devices;
    domain::Link network;
    read::SiteNodes nodes;  // how the site says that they are built inside
};

struct Collected {
    domain::Snapshot snapshot;
    std::vector<std::string> remarks;  // for the administrator: what could not be used, and why
};

// Asks slurmctld by several calls; slurm_init() has been called. `now`: seconds since the epoch.
// Fails when one of them is not answered, or when the answers do not fit together.
Expected<Collected> collect(const SiteFacts& site, std::int64_t now);

}  // namespace hora::slurm
