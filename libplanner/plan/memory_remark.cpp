// Is a plan near the end of what its GPUs hold?
#include "libplanner/plan/memory_remark.hpp"

#include <fmt/format.h>

#include "libplanner/cost/memory.hpp"

namespace hora::plan {

namespace {

struct Nearest {
    const domain::Device* device = nullptr;
    Bytes needed;
    double filled = 0;  // needed / what the device has
};

Nearest nearest_to_its_end(const domain::Plan& plan, const domain::Cluster& cluster) {
    Nearest nearest;
    for (const domain::DeviceUse& use : plan.devices) {
        const domain::Device& device = cluster.devices[use.device];
        const double filled = device.memory > Bytes(0) ? use.memory / device.memory : 0;
        if (filled > nearest.filled) {
            nearest = {&device, use.memory, filled};
        }
    }
    return nearest;
}

}  // namespace

bool is_beyond_memory(const domain::Plan& plan, const domain::Cluster& cluster) {
    return nearest_to_its_end(plan, cluster).filled > 1;
}

std::string memory_remark(const domain::Plan& plan, const domain::Cluster& cluster) {
    using namespace literals;
    const Nearest nearest = nearest_to_its_end(plan, cluster);
    if (nearest.filled <= 1 - cost::memory_error) {
        return {};
    }
    return fmt::format("needs about {:.1f} of a {}'s {:.1f} GiB (+-{:.0f} %): {} run out of memory",
                       nearest.needed / 1_GiB, nearest.device->name, nearest.device->memory / 1_GiB,
                       100 * cost::memory_error, nearest.filled > 1 ? "is likely to" : "may");
}

}  // namespace hora::plan
