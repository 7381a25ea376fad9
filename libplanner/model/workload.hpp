// Which few numbers of a network travel to the planner?
#pragma once

#include <optional>

#include "libplanner/domain/network.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::model {

// The layers in order as costs; neighbours are merged, cheapest pairs first, until at most
// max_workload_layers are left. Sums over the layers stay exactly as they were, except that no
// number passes max_workload_number (networks built by model/ and read/ stay far below). A network
// without layers gives one layer of zeros. Without a type the framework chooses it.
//
// The embeddings with most rows, and dense layers with as many outputs, are tables with a row a
// word (domain/workload.hpp).
domain::Workload to_workload(const domain::Network& network, std::optional<domain::DataType> type);

}  // namespace hora::model
