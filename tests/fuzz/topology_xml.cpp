// Does any text break the reader of hwloc's XML, or give a machine that is none?
#include <cstdint>
#include <cstdlib>
#include <string>

#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/cluster/topology_json.hpp"
#include "libplanner/report/machine/topology.hpp"
#include "tests/fuzz/tried_apart.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    return hora::fuzz::let_children_die();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto topology = hora::read::read_topology_xml(text)) {
        const auto back = hora::read::read_topology_json(hora::report::to_json(*topology));
        if (!back || *back != *topology) {
            std::abort();
        }
    }
    return 0;
}
