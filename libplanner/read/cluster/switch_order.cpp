// Which switches come before which, on the way from the leaves of a fabric up?
#include "libplanner/read/cluster/switch_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/read/quoted.hpp"

namespace hora::read {

Expected<SwitchOrder> order_switches(std::span<const SwitchDescription> switches) {
    SwitchOrder order;
    std::vector<std::uint32_t> children(switches.size(), 0);
    for (const SwitchDescription& one : switches) {
        if (one.parent != no_switch && one.parent >= switches.size()) {
            return unexpected(
                Error{fmt::format("switch {} has a parent that is none", quoted(one.name))});
        }
        if (one.parent != no_switch) {
            ++children[one.parent];
        }
    }
    for (std::uint32_t i = 0; i < switches.size(); ++i) {
        order.is_leaf.push_back(children[i] == 0);
        if (children[i] == 0) {
            order.bottom_up.push_back(i);
        }
    }
    for (std::size_t i = 0; i < order.bottom_up.size(); ++i) {
        const std::uint32_t parent = switches[order.bottom_up[i]].parent;
        if (parent != no_switch && --children[parent] == 0) {
            order.bottom_up.push_back(parent);
        }
    }
    if (order.bottom_up.size() < switches.size()) {
        const auto in_a_circle = std::find_if(children.begin(), children.end(),
                                              [](std::uint32_t count) { return count > 0; });
        const auto which = static_cast<std::size_t>(in_a_circle - children.begin());
        return unexpected(
            Error{fmt::format("switch {} is above itself; give the topmost switch no parent",
                              quoted(switches[which].name))});
    }
    return order;
}

}  // namespace hora::read
