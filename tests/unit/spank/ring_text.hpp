// Rings of nodes as tests write them: "n[1,4]/n2//n3", a '/' for each level that is climbed.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/spank/ring/node_ring.hpp"

namespace hora::spank {

inline std::string to_text(const NodeRing& ring) {
    std::string text;
    for (std::size_t start = 0; start < ring.nodes.size();) {
        std::size_t end = start + 1;
        while (end < ring.nodes.size() && ring.climbs[end - 1] == 0) {
            ++end;
        }
        text += read::fold_hostlist(std::span(ring.nodes).subspan(start, end - start));
        if (end < ring.nodes.size()) {
            text.append(ring.climbs[end - 1], '/');
        }
        start = end;
    }
    return text;
}

inline NodeRing node_ring(std::string_view text) {
    NodeRing ring;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        const auto group = read::expand_hostlist(text.substr(0, end)).value();
        ring.nodes.insert(ring.nodes.end(), group.begin(), group.end());
        ring.climbs.resize(ring.nodes.size() - 1, 0);
        const std::size_t next = std::min(text.find_first_not_of('/', end), text.size());
        if (next > end) {
            ring.climbs.push_back(static_cast<std::uint32_t>(next - end));
        }
        text.remove_prefix(next);
    }
    return ring;
}

}  // namespace hora::spank
