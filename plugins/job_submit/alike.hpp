// Which nodes are so alike that a plan need not look at all of them?
#pragma once

#include <cstddef>

#include "libplanner/domain/cluster.hpp"

namespace hora::submit {

// Takes the GPUs of surplus nodes out of the choice: of nodes with the same parent, the same GPUs,
// free alike, and the same links inside, a plan over at most `most_nodes` nodes can use no more
// than the first so many, and the others are no better. So the best plan is still in, and the one
// with the lowest indices, which is the one that the chooser prefers.
void leave_surplus(domain::Cluster& cluster, std::size_t most_nodes);

}  // namespace hora::submit
