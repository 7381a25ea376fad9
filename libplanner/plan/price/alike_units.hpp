// Of units that give so many GPUs each, which ones take the same step?
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// The classes of parts as sets of `each` GPUs a unit see them: of GPUs of one device it does not
// matter how many more a unit has, so such groups are one, and units with fewer GPUs are left out;
// `units` are those that are left. A class without any is left out, and so is a link without a
// class. Without `parts`: it is for prices, not for places. O(R log R) for R runs, each a step of
// the limit.
std::vector<LinkClasses> alike_units(const FreeGpus& free, std::uint32_t each, SearchLimit& limit);

// What sets of so many GPUs a unit are priced on. Both outlive it.
class UnitClasses {
  public:
    UnitClasses(const Pricing& pricing, const FreeGpus& free) : pricing_(&pricing), free_(&free) {}

    std::span<const LinkClasses> of(std::uint32_t each);

  private:
    const Pricing* pricing_;
    const FreeGpus* free_;
    std::map<std::uint32_t, std::span<const LinkClasses>> by_each_;
    // By which shapes are alike, which most numbers of GPUs a unit have in common.
    std::map<std::vector<std::uint32_t>, std::vector<LinkClasses>> by_alike_;
};

}  // namespace hora::plan
