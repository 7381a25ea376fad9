// In which parts of the cluster is a point's price reached, and with which GPUs?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// thorough: all parts. quick: the first one found, and small parts come first.
enum class Placing { thorough, quick };

// A part in which the point's price is reached; those of meshes have numbers of their own
// (FreeGpus::mesh_part).
struct Spot {
    std::uint32_t part = 0;
    const LinkClasses* link = nullptr;
    const PartClass* in = nullptr;
    // Free ones, ascending; where each is priced by itself (modes independent and sync), those that
    // reach the price.
    std::vector<std::uint32_t> gpus;
};

// Of a mesh the spot has all free GPUs of the node, of which not every set reaches the price; when
// quick, a best set. When quick a spot of such a mode may lack GPUs of which none would be picked
// (pick.hpp). Leaves out parts whose sets all count the same in a larger one. There is one at
// least, for a point that one of the curves gave.
std::vector<Spot> find_spots(Pricing& pricing, const FreeGpus& free, const Point& point,
                             Placing placing);

}  // namespace hora::plan
