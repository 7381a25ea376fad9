// The lent GPUs as a cluster of their own: what the chooser looks at.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/request/lending.hpp"

namespace hora::request {

// Nodes, parts and GPUs stand in the order of the whole, so the chooser decides as it would there.
// Of a node it is all there or nothing: what is not lent counts as busy.
struct Excerpt {
    domain::Cluster cluster;
    std::vector<std::uint32_t> gpus;  // by GPU here: its index in the whole
};

Excerpt excerpt_of(const domain::Cluster& whole, const Lent& lent);

// A plan made on the excerpt, in the indices of the whole.
void put_back(domain::Plan& plan, const Excerpt& excerpt);

}  // namespace hora::request
