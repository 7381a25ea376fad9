// Does any text break the reader of fabrics, or come out as something that cannot be walked?
#include "libplanner/read/cluster/fabric_text.hpp"

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "libplanner/plan/ring/node_order.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto named = hora::read::read_fabric(text);
    if (!named) {
        return 0;
    }
    std::vector<std::uint32_t> nodes(named->nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    const auto order = hora::plan::order_nodes(named->fabric, nodes);
    if (order.size() != nodes.size() ||
        hora::plan::crossings(named->fabric, order) > 2 * named->fabric.switches.size()) {
        std::abort();
    }
    return 0;
}
