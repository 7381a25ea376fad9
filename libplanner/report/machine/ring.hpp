// How is a predicted ring shown to people and to programs?
#pragma once

#include <string>

#include "libplanner/plan/ring/predicted_ring.hpp"

namespace hora::report {

// One JSON object with "version": 1. GPUs are numbers in a ring of one machine and "node:number"
// in one of a cluster; bandwidths are bytes a second, null where they are not known.
std::string to_json(const plan::PredictedRing& ring);
// Each link with its kind and bandwidth, or a line a node where there are several; the slowest is
// marked; and what the order by numbers would give.
std::string to_table(const plan::PredictedRing& ring);

// "0-1-2-3", "n1:0-n1:1"; of several nodes their names, "n[1,4,2]"
std::string order_text(const plan::RingFigures& ring);
// By the channels of a predicted ring, else by the pace of the one; 0: not known.
Bandwidth all_reduce_at_most(const plan::RingFigures& ring);
// Are all links as fast?
bool is_even(const plan::RingFigures& ring);
// Is that of the slowest link? None is where all are as fast, or one is not known.
bool is_slowest(const plan::RingFigures& ring, Bandwidth bandwidth);
// "12 GB/s", "unknown"
std::string speed_text(Bandwidth bandwidth);

}  // namespace hora::report
