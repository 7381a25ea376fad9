// Which GPUs and NVSwitches does hwloc know to be joined by NVLink or XGMI?
#include "libplanner/read/machine/hwloc_nvlinks.hpp"

#include <hwloc/distances.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace hora::read {
namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

// The PCI device that an object of the matrix is, or that it belongs to.
std::optional<std::uint32_t> place_of(hwloc_obj_t object, const DevicePlaces& places) {
    while (object != nullptr && object->type != HWLOC_OBJ_PCI_DEVICE) {
        object = object->parent;
    }
    const auto found = object == nullptr ? places.end() : places.find(object->gp_index);
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

// The slower direction of each pair, in MB/s; the fastest where a card stands there several times.
void collect(const hwloc_distances_s& matrix, const DevicePlaces& places, Pairs& pairs) {
    std::vector<std::optional<std::uint32_t>> own(matrix.nbobjs);
    for (unsigned i = 0; i < matrix.nbobjs; ++i) {
        own[i] = place_of(matrix.objs[i], places);
    }
    for (std::size_t i = 0; i < matrix.nbobjs; ++i) {
        for (std::size_t j = i + 1; j < matrix.nbobjs; ++j) {
            const std::uint64_t megabytes = std::min(matrix.values[i * matrix.nbobjs + j],
                                                     matrix.values[j * matrix.nbobjs + i]);
            constexpr std::uint64_t most = 10'000'000;
            if (own[i] && own[j] && own[i] != own[j] && megabytes > 0 && megabytes <= most) {
                std::uint64_t& known = pairs[std::minmax(*own[i], *own[j])];
                known = std::max(known, megabytes);
            }
        }
    }
}

}  // namespace

std::vector<domain::NvLink> read_nvlinks(hwloc_topology_t topology, const DevicePlaces& places) {
    Pairs pairs;
    for (const char* const name : {"NVLinkBandwidth", "XGMIBandwidth"}) {
        unsigned count = 1;
        hwloc_distances_s* matrix = nullptr;
        if (hwloc_distances_get_by_name(topology, name, &count, &matrix, 0) == 0 && count > 0 &&
            matrix != nullptr) {
            collect(*matrix, places, pairs);
            hwloc_distances_release(topology, matrix);
        }
    }
    std::vector<domain::NvLink> links;
    for (const auto& [pair, megabytes] : pairs) {
        links.push_back(
            {pair.first, pair.second, Bandwidth(static_cast<double>(megabytes) * 1e6), false});
    }
    return links;
}

}  // namespace hora::read
