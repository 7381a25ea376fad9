// How many samples does a unit manage within a deadline?
#pragma once

#include <cstdint>

#include "libplanner/plan/curve.hpp"
#include "libplanner/plan/free_gpus.hpp"
#include "libplanner/plan/pricing.hpp"

namespace hora::plan {

// Of the `each` GPUs of a unit that manage most together, 0 if fewer of them manage a sample.
std::uint64_t samples_within(Pricing& pricing, const Shape& shape, std::uint32_t each,
                             Price deadline, Seconds overhead, Seconds exchange);
// Can a set of this size in the part train the batch within the deadline?
bool can_keep(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part, const Size& size, Price deadline);
std::uint64_t ceil_share(std::uint64_t samples, std::uint64_t units);

}  // namespace hora::plan
