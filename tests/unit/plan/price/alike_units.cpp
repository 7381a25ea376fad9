// Do units that take the same step count as one group, and is every price what it was?
#include "libplanner/plan/price/alike_units.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <functional>

#include "libplanner/plan/price/curve.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using tests::Priced;

// "a2b1": two GPUs of the first device and one of the second.
std::string text_of(const Shape& shape) {
    std::string text;
    for (const Kind& kind : shape) {
        text += fmt::format("{}{}", static_cast<char>('a' + kind.device), kind.count);
    }
    return text;
}

// Each group by the shape that stands for it: "SHAPE:UNITS@OVERHEAD,…", the units of each overhead
// with those of less.
std::string text_of(const PartClass& part, std::span<const Shape> shapes) {
    std::string text;
    for (const Group& group : part.groups) {
        text += fmt::format("{}{}:", text.empty() ? "" : " ", text_of(shapes[group.shape]));
        for (const Run& run : group.runs) {
            text += fmt::format("{}{}@{}", &run == group.runs.data() ? "" : ",", run.upto,
                                run.overhead.count());
        }
    }
    return fmt::format("{} of {}", part.units, text);
}

struct Case {
    const char* sentence;
    std::uint32_t each;
    const char* alike;
};

const Case cases[] = {
    {"units with more GPUs of the device count as well", 1, "8 of a1:3@0,4@1,5@3 b3:1@3 a1b1:2@3"},
    {"units with too few are left out", 2, "6 of a2:1@0,2@1,3@3 b3:1@3 a1b1:2@3"},
    {"of units of several devices the GPUs of all count", 3, "2 of a4:1@1 b3:1@3"},
    {"one unit is left", 4, "1 of a4:1@1"},
    {"none has as many", 5, ""},
};

TEST(AlikeUnits, AreOneGroup) {
    tests::RandomCase given =
        tests::plain_case({{0}, {0}, {0, 0}, {0, 0, 0, 0}, {0, 0}, {1, 1, 1}, {0, 1}, {0, 1}});
    const double overheads[] = {0, 0, 0, 1, 3, 3, 3, 3};
    for (std::size_t node = 0; node < std::size(overheads); ++node) {
        given.cluster.nodes[node].overhead = Seconds(overheads[node]);
    }
    given.request.layout = domain::Layout::uniform;
    Priced priced(std::move(given));
    for (const Case& test : cases) {
        const auto links = alike_units(priced.free, test.each, priced.limit);
        const auto fabric = std::ranges::find(
            links, Bandwidth(1e9), [](const LinkClasses& link) { return link.link.bandwidth; });
        EXPECT_EQ(
            fabric == links.end() ? "" : text_of(fabric->classes.front(), priced.free.shapes()),
            test.alike)
            << test.sentence;
    }
}

TEST(AlikeUnits, AreStepsOfTheLimit) {
    tests::RandomCase given = tests::plain_case({{0}, {0, 0}, {1}});
    given.request.layout = domain::Layout::uniform;
    Priced priced(std::move(given));
    std::uint64_t looks = 0;
    SearchLimit limit([&] { return ++looks > 2; });
    EXPECT_THROW(
        {
            for (int i = 0; i < 10'000; ++i) {
                alike_units(priced.free, 1, limit);
            }
        },
        SearchOver);
}

// The most units that a class of a set's size has within a price.
std::uint64_t most_units(const Pricing& pricing, std::span<const PartClass> classes,
                         std::span<const Seconds> steps, const Price& price,
                         std::uint64_t members) {
    std::uint64_t most = 0;
    for (const PartClass& part : classes) {
        if (part.suits(members)) {
            most = std::max(most, units_within(pricing, part, steps, price));
        }
    }
    return most;
}

// Whatever the sets have to be priced within, a link has as many units for them as before.
void compare(Priced& priced, std::uint32_t each, const LinkClasses& link,
             std::span<const PartClass> alike) {
    const Pricing& pricing = priced.pricing;
    UnitSteps unit_steps(priced.pricing, priced.free);
    const std::span<const Seconds> steps =
        unit_steps.of(each, 1, pricing.exchange(link.exchanging(2, each)));
    for (const PartClass& part : link.classes) {
        for (const Group& group : part.groups) {
            for (const Run& run : group.runs) {
                const Price price = pricing.price(steps[group.shape], run.overhead);
                if (price < Price()) {
                    for (const std::uint64_t members : {each, 2 * each}) {
                        RC_ASSERT(most_units(pricing, alike, steps, price, members) ==
                                  most_units(pricing, link.classes, steps, price, members));
                    }
                }
            }
        }
    }
}

RC_GTEST_PROP(AlikeUnits, HaveThePricesOfAll, (std::uint64_t seed)) {
    for (std::uint64_t i = 0; i < 20; ++i) {
        tests::RandomCase given = tests::random_case(seed * 1000003 + i, 12);
        given.request.layout = domain::Layout::uniform;
        if (given.request.batch == 0 || given.request.workload.layers.empty() ||
            given.cluster.parts.empty()) {
            continue;
        }
        Priced priced(std::move(given));
        for (std::uint32_t each = 1; each <= priced.free.most_in_a_node() + 1; ++each) {
            const auto links = alike_units(priced.free, each, priced.limit);
            for (const LinkClasses& link : priced.free.links()) {
                const auto own = std::ranges::find_if(links, [&](const LinkClasses& one) {
                    return static_cast<const PartLink&>(one) == link;
                });
                compare(priced, each, link,
                        own == links.end() ? std::span<const PartClass>() : own->classes);
            }
            for (const LinkClasses& link : links) {
                RC_ASSERT(!link.classes.empty());
                RC_ASSERT(
                    std::ranges::is_sorted(link.classes, std::greater<>(), &PartClass::units));
            }
        }
    }
}

}  // namespace
}  // namespace hora::plan
