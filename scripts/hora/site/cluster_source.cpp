// Where does a command's --cluster FILE come from: a cluster file, or a snapshot?
#include "scripts/hora/site/cluster_source.hpp"

#include <utility>

#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/cluster/cluster_file.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/state/snapshot.hpp"

namespace hora::scripts {

bool is_snapshot(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    return start != text.npos && text[start] == '{';
}

Expected<domain::Cluster> load_cluster(const std::string& path, const read::Settings& settings,
                                       std::vector<domain::MeasuredSpeed>* measured) {
    const Expected<std::string> text = read::read_file(path);
    if (!text) {
        return unexpected(text.error());
    }
    // The path may be of a pipe, which gives its text once.
    if (!is_snapshot(*text)) {
        return read::read_cluster(*text, path, settings, &read::read_topology_layout);
    }
    Expected<domain::Snapshot> snapshot = read::read_snapshot(*text);
    if (!snapshot) {
        return unexpected(snapshot.error().within(path));
    }
    for (domain::Gpu& gpu : snapshot->cluster.gpus) {
        gpu.is_free = gpu.is_free && snapshot->states[gpu.node].is_usable;
    }
    if (measured != nullptr) {
        *measured = std::move(snapshot->measured);
    }
    return std::move(snapshot->cluster);
}

}  // namespace hora::scripts
