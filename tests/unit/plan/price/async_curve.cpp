// Do the short cuts past the search of each part leave every size its best set in mode async?
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "libplanner/plan/price/async.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

// Each class of parts searched for each size.
std::map<std::uint64_t, AsyncChoice> searched(tests::Priced& priced) {
    std::map<std::uint64_t, AsyncChoice> best;
    for (const Size& size : sizes_of_several(priced.pricing, priced.free, Sizes::all)) {
        for (const LinkClasses& link : priced.free.links()) {
            for (const PartClass& part : link.classes) {
                if (part.units >= size.units && part.suits(size.members()) &&
                    link.spread != Spread::two_nodes) {
                    const AsyncChoice one =
                        choose_async(priced.pricing, priced.free, link, part, size);
                    AsyncChoice& known = best[size.members()];
                    if (std::pair(one.price, -one.updates) <
                        std::pair(known.price, -known.updates)) {
                        known = one;
                    }
                }
            }
        }
    }
    std::erase_if(best, [](const auto& one) { return std::isinf(one.second.price.time); });
    return best;
}

RC_GTEST_PROP(AsyncCurve, HoldsWhatASearchOfEachPartFinds, (std::uint64_t seed)) {
    tests::Priced priced(tests::random_case(seed, 16));
    const std::vector<Point> curve = async_curve(priced.pricing, priced.free);
    const auto best = searched(priced);
    RC_ASSERT(curve.size() == best.size());
    for (const Point& point : curve) {
        const auto known = best.find(point.size.members());
        RC_ASSERT(known != best.end());
        const AsyncChoice& choice = known->second;
        RC_ASSERT(std::abs(point.price.time / choice.price.time - 1) < 1e-9);
        RC_ASSERT(std::abs(point.price.tie - choice.price.tie) < 1e-9);
    }
}

}  // namespace
}  // namespace hora::plan
