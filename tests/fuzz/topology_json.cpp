// Does any text break the reader of a machine's JSON, or what shows machines?
#include "libplanner/read/cluster/topology_json.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "libplanner/domain/device.hpp"
#include "libplanner/read/cluster/node_layout.hpp"
#include "libplanner/report/machine/topology.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto topology = hora::read::read_topology_json(text);
    if (!topology) {
        return 0;
    }
    const auto back = hora::read::read_topology_json(hora::report::to_json(*topology));
    if (!back || *back != *topology) {
        std::abort();
    }
    hora::domain::Device device;
    device.pcie = hora::Bandwidth(16e9);
    const hora::read::NodeLayout layout = hora::read::layout_of(*topology, device);
    for (std::size_t i = 1; i < layout.groups.size(); ++i) {
        const auto& group = layout.groups[i];
        if (group.parent >= i ||
            layout.groups[group.parent].link.bandwidth > group.link.bandwidth) {
            std::abort();
        }
    }
    static_cast<void>(hora::report::topology_tree(*topology));
    static_cast<void>(hora::report::topology_matrix(*topology));
    static_cast<void>(hora::report::topology_remarks(*topology));
    return 0;
}
