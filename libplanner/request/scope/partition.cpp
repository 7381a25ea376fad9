// Which partition rules a job?
#include "libplanner/request/scope/partition.hpp"

#include <algorithm>

namespace hora::request {

const domain::Partition* find_partition(const std::string& name, const domain::Snapshot& snapshot) {
    const auto found =
        std::find_if(snapshot.partitions.begin(), snapshot.partitions.end(),
                     [&](const domain::Partition& known) { return known.name == name; });
    return found == snapshot.partitions.end() ? nullptr : &*found;
}

std::string partition_of(const std::vector<std::string>& named, const domain::Snapshot& snapshot) {
    for (const std::string& name : named) {
        const domain::Partition* found = find_partition(name, snapshot);
        if (found != nullptr && found->is_up) {
            return name;
        }
    }
    if (!named.empty()) {
        return {};
    }
    for (const domain::Partition& partition : snapshot.partitions) {
        if (partition.is_default) {
            return partition.name;
        }
    }
    return {};
}

}  // namespace hora::request
