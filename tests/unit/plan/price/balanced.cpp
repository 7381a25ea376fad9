// Is the price of each size in mode balanced the smallest deadline that a set of it can keep?
#include "libplanner/plan/price/balanced.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <map>
#include <utility>

#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

// In any part, by a set of so many members.
bool keeps(tests::Priced& priced, std::uint64_t members, Price deadline) {
    for (const Size& size : sizes_of_several(priced.pricing, priced.free, Sizes::all)) {
        if (size.members() != members) {
            continue;
        }
        for (const LinkClasses& link : priced.free.links()) {
            for (const PartClass& part : link.classes) {
                if (can_keep(priced.pricing, priced.free, link, part, size, deadline)) {
                    return true;
                }
            }
        }
    }
    return false;
}

RC_GTEST_PROP(Balanced, EachSizeKeepsItsPriceAndNoneBelow, (std::uint64_t seed)) {
    tests::Priced priced(tests::random_case(seed, 16));
    std::map<std::uint64_t, Price> prices;
    for (const Point& point : balanced_curve(priced.pricing, priced.free, false)) {
        prices[point.size.members()] = point.price;
    }
    for (const Size& size : sizes_of_several(priced.pricing, priced.free, Sizes::all)) {
        const auto price = prices.find(size.members());
        if (price == prices.end()) {
            RC_ASSERT(!keeps(priced, size.members(), just_below(Price{})));
            continue;
        }
        RC_ASSERT(keeps(priced, size.members(), price->second));
        RC_ASSERT(!keeps(priced, size.members(), just_below(price->second)));
    }
}

}  // namespace
}  // namespace hora::plan
