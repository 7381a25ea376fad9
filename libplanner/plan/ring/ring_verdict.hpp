// Is the ring that NCCL built the predicted one, and what does it cost where it is not?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/read/nccl/nccl_log.hpp"

namespace hora::plan {

// A ring of NCCL's beside the predicted one. Rings are equal as cycles: any start, either
// direction.
struct FoundRing {
    std::vector<std::uint32_t> channels;  // that all have this ring
    RingFigures figures;
    bool is_same = false;
    bool is_as_fast = false;        // another order, with no slower link and no more crossings
    std::vector<RingLink> missing;  // predicted links that it lacks; indices into predicted stops
    std::vector<RingLink> instead;  // its links that were not predicted; indices into its own stops
};

struct RingVerdict {
    std::string communicator;  // commId, empty where the log has none
    RingFigures predicted;     // over the communicator's own GPUs
    std::vector<FoundRing> found;
    std::uint32_t torn = 0;  // channels that the log does not tell whole

    // Whether a job loses nothing against the prediction.
    bool is_good() const;
};

// The communicator's rings on this machine, its GPUs found by their bus ids.
// On failure: what the log or the machine lacks.
Expected<RingVerdict> judge(const read::NcclCommunicator& communicator,
                            const domain::Topology& machine);
// The same over a cluster: its hosts found by name (a domain name is left out), its GPUs by their
// number on the node. The prediction starts with the node of rank 0.
Expected<RingVerdict> judge(const read::NcclCommunicator& communicator,
                            const domain::Cluster& cluster);

// The comparison alone.
FoundRing compare(const RingFigures& predicted, RingFigures found);

}  // namespace hora::plan
