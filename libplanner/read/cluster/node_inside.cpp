// What does a [[node]] table say of the inside of its nodes?
// Keys: topology, pcie.{switches, inside, across}, link.
#include "libplanner/read/cluster/node_inside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/model/links/path.hpp"

namespace hora::read {
namespace {

std::string beside(const std::string& file, std::string name) {
    const std::size_t slash = file.rfind('/');
    return name.starts_with('/') || slash == std::string::npos ? std::move(name)
                                                               : file.substr(0, slash + 1) + name;
}

void reject_second(TomlTable& table, std::string_view first, std::string_view second) {
    if (table.has(second)) {
        table.reject(second, fmt::format("\"{}\" and \"{}\" exclude each other", second, first));
    }
}

Expected<PcieInside> take_pcie(TomlTable pcie) {
    PcieInside found;
    pcie.require("switches", found.switches);
    pcie.take("inside", found.inside);
    pcie.take("across", found.across);
    found.where_switches = pcie.where("switches");
    found.where_across = pcie.where("across");
    if (auto good = pcie.finish(); !good) {
        return unexpected(good.error());
    }
    return found;
}

}  // namespace

Expected<NodeInside> take_inside(TomlTable& table) {
    NodeInside inside;
    inside.where = table.where();
    inside.where_topology = table.where("topology");
    table.take("link", inside.link);
    if (table.take("topology", inside.topology)) {
        inside.topology = beside(table.file(), std::move(inside.topology));
        reject_second(table, "topology", "pcie");
        reject_second(table, "topology", "link");
    }
    if (auto pcie = table.take_table("pcie")) {
        reject_second(table, "pcie", "link");
        auto found = take_pcie(*std::move(pcie));
        if (!found) {
            return unexpected(found.error());
        }
        inside.pcie = *std::move(found);
    }
    return inside;
}

Expected<NodeLayout> layout_of(const NodeInside& inside, std::uint32_t gpus,
                               const domain::Device* device) {
    if (!inside.pcie) {
        domain::Link usual = device == nullptr ? pcie_link(Bandwidth(1)) : usual_link(*device);
        usual.bandwidth = inside.link.value_or(usual.bandwidth);
        return flat_layout(gpus, usual);
    }
    const PcieInside& pcie = *inside.pcie;
    const Bandwidth own =
        device == nullptr ? Bandwidth(1) : model::attained_over_pcie(device->pcie);
    const Bandwidth within = pcie.inside.value_or(own);
    const Bandwidth across = pcie.across.value_or(within);
    if (pcie.switches == 0 || pcie.switches > std::max(gpus, 1U)) {
        return wrong_use(fmt::format("{}: {} cannot be on {}", pcie.where_switches,
                                     counted(gpus, "GPU"), counted(pcie.switches, "switch", "es")));
    }
    if (across > within) {
        return wrong_use(fmt::format("{}: \"across\" is faster than \"inside\"; exchange the two",
                                     pcie.where_across));
    }
    return switched_layout(gpus, pcie.switches, pcie_link(within), pcie_link(across));
}

}  // namespace hora::read
