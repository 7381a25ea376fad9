// What a site can set for Hora's part in sbatch and on the nodes.
//
// settings: checkpoint.keep checkpoint.path checkpoint.remove network.interface network.hca
// master.port_base master.port_range mode
//           model.reader model.timeout nccl.topo_file network.bandwidth ring.place topology.path
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "config.h"
#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "plugins/spank/job/master_port.hpp"

namespace hora::spank {

struct ComputeSettings {
    std::string checkpoint_path;   // empty: below the working directory
    std::string socket_interface;  // NCCL_SOCKET_IFNAME; empty: not set
    std::string ib_hca;            // NCCL_IB_HCA; empty: not set
    bool places_ring = true;       // rank order, GPU order and CPU masks, where Hora acts
    bool acts = false;             // in partitions of which nothing else is said
    std::map<std::string, bool, std::less<>> partition_acts;
    std::string topology_path = HORA_SYSCONFDIR "/topology.json";  // "{node}" is the node's name
    std::string nccl_topo_file;  // NCCL_TOPO_FILE of virtual machines, likewise; empty: not set
    Bandwidth network{1.25e9};   // between two nodes
    PortRange ports{20000, 10000};
    std::string reader = HORA_LIBEXECDIR "/hora-read-model";
    std::chrono::milliseconds reader_limit{10'000};
    std::string watcher = HORA_LIBEXECDIR "/hora-watch-job";
    std::string mpi_library = HORA_PKGLIBDIR "/libhora_mpi.so";  // what MPI programs preload
    bool removes_finished = true;       // the folder of a job that has ended with status 0
    Seconds keep_folders{7 * 86400.0};  // of other jobs; 0: for ever
    std::string file{};                 // where they were looked for

    bool acts_in(std::string_view partition) const;
};

// Nodes often have no hora.toml: without one the defaults hold. Fails on one that is wrong.
Expected<ComputeSettings> load_settings(const std::string& file_name);

}  // namespace hora::spank
