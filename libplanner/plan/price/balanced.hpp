// Can a set train the batch within a deadline, its shares in proportion to speed?
#pragma once

#include <cstdint>

#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// Can a set of this size in the part train the batch within the deadline?
bool can_keep(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part, const Size& size, Price deadline);

}  // namespace hora::plan
