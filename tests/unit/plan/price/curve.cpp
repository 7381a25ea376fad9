// Which sizes are priced, and is each priced at its best set in every mode?
#include "libplanner/plan/price/curve.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/unit/plan/brute_force.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Layout;
using domain::Mode;
using domain::Request;
using Kind = domain::SizeRule::Kind;

std::string text_of(const std::vector<Size>& sizes) {
    std::string text;
    for (const Size& size : sizes) {
        text += fmt::format("{}{}x{}", text.empty() ? "" : " ", size.units, size.each);
    }
    return text;
}

struct Case {
    const char* sentence;
    std::function<void(Request&)> change;  // of a batch of 12 over nodes of 4, 4 and 2 GPUs
    const char* all;
    const char* of_each_share;
};

void uniform(Request& request) {
    request.layout = Layout::uniform;
}

const Case cases[] = {
    {"any number from two on", [](Request&) {}, "2x1 3x1 4x1 5x1 6x1 7x1 8x1 9x1 10x1",
     "2x1 3x1 4x1 6x1"},
    {"the least and the most are sizes",
     [](Request& request) { request.min_gpus = 3, request.max_gpus = 5; }, "3x1 4x1 5x1",
     "3x1 4x1"},
    {"no more than samples", [](Request& request) { request.batch = 3; }, "2x1 3x1", "2x1 3x1"},
    {"a single sample has no sizes", [](Request& request) { request.batch = 1; }, "", ""},
    {"more than there are", [](Request& request) { request.min_gpus = 11; }, "", ""},
    {"powers",
     [](Request& request) {
         request.sizes = {Kind::powers, {}};
     },
     "2x1 4x1 8x1", "2x1 4x1 8x1"},
    {"a list",
     [](Request& request) {
         request.sizes = {Kind::listed, {1, 5, 7, 99}};
     },
     "5x1 7x1", "5x1 7x1"},
    {"the same on each node, up to the fullest one", uniform,
     "1x2 2x1 1x3 3x1 1x4 2x2 4x1 5x1 2x3 3x2 6x1 7x1 2x4 4x2 8x1 3x3 9x1 5x2 10x1",
     "1x2 2x1 1x3 3x1 1x4 2x2 4x1 2x3 3x2 6x1 2x4"},
    {"so many on each node", [](Request& request) { uniform(request), request.gpus_per_node = 2; },
     "1x2 2x2 3x2 4x2 5x2", "1x2 2x2 3x2"},
    {"over so many nodes",
     [](Request& request) { uniform(request), request.min_nodes = 2, request.max_nodes = 2; },
     "2x1 2x2 2x3 2x4", "2x1 2x2 2x3 2x4"},
    {"a node of one is not several",
     [](Request& request) { uniform(request), request.max_nodes = 1; }, "1x2 1x3 1x4",
     "1x2 1x3 1x4"},
    {"powers of GPUs, not of nodes",
     [](Request& request) {
         uniform(request), request.gpus_per_node = 3, request.sizes = {Kind::powers, {}};
     },
     "", ""},
    {"whole nodes are the layout's",
     [](Request& request) {
         uniform(request), request.gpus_per_node = 4, request.sizes = {Kind::nodes, {}};
     },
     "1x4 2x4", "1x4 2x4"},
};

TEST(Curve, WalksUpTheSizesOfTheRequest) {
    for (const Case& test : cases) {
        tests::RandomCase given = tests::plain_case({{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0}});
        given.request.batch = 12;
        test.change(given.request);
        const tests::Priced priced(given);
        EXPECT_EQ(text_of(sizes_of_several(priced.pricing, priced.free, Sizes::all)), test.all)
            << test.sentence;
        EXPECT_EQ(
            text_of(sizes_of_several(priced.pricing, priced.free, Sizes::smallest_of_each_share)),
            test.of_each_share)
            << test.sentence;
    }
}

TEST(Curve, AllowsOneGpuWhereTheRequestDoes) {
    struct One {
        const char* sentence;
        std::function<void(Request&)> change;
        bool is_allowed;
    };
    const One ones[] = {
        {"nothing is said", [](Request&) {}, true},
        {"several are wanted", [](Request& request) { request.min_gpus = 2; }, false},
        {"none is allowed", [](Request& request) { request.max_gpus = 0; }, false},
        {"two nodes", [](Request& request) { uniform(request), request.min_nodes = 2; }, false},
        {"two on each node", [](Request& request) { uniform(request), request.gpus_per_node = 2; },
         false},
        {"one on each node", [](Request& request) { uniform(request), request.gpus_per_node = 1; },
         true},
        {"what nodes give says nothing without a layout",
         [](Request& request) { request.min_nodes = 2, request.gpus_per_node = 4; }, true},
        {"not in the list",
         [](Request& request) {
             request.sizes = {Kind::listed, {2}};
         },
         false},
        {"one is a power",
         [](Request& request) {
             request.sizes = {Kind::powers, {}};
         },
         true},
    };
    for (const One& test : ones) {
        Request request;
        test.change(request);
        EXPECT_EQ(allows_one(request), test.is_allowed) << test.sentence;
    }
    Request request;
    EXPECT_TRUE(is_allowed(request, domain::unlimited_gpus));
    EXPECT_FALSE(is_allowed(request, std::uint64_t{domain::unlimited_gpus} + 2))
        << "it would be 1 in 32 bits";
}

TEST(Curve, KeepsTheBetterOfAsManyMembers) {
    std::vector<Point> curve;
    keep_better(curve, {Mode::sync, {2, 1}, {}, 0});
    EXPECT_TRUE(curve.empty()) << "what cannot be had has no price";
    keep_better(curve, {Mode::sync, {2, 1}, {8, 0}, 0});
    keep_better(curve, {Mode::sync, {1, 2}, {8, 0}, 0});
    EXPECT_EQ(curve.back().size, (Size{2, 1})) << "the first of equals";
    keep_better(curve, {Mode::sync, {1, 2}, {8, 0}, 3});
    EXPECT_EQ(curve.back().size, (Size{1, 2})) << "more updates";
    keep_better(curve, {Mode::sync, {2, 1}, {7, 0}, 0});
    EXPECT_EQ(curve.back().price.time, 7);
    keep_better(curve, {Mode::sync, {3, 1}, {9, 0}, 0});
    ASSERT_EQ(curve.size(), 2U);
    EXPECT_EQ(curve.back().size.members(), 3U);
}

// A node is as fast as the slowest of its GPUs that are taken, which are its fastest ones. A device
// takes 1 s for a sample, another 2 s.
TEST(Curve, WaitsForTheSlowestOfEachNode) {
    tests::RandomCase given = tests::plain_case({{0, 1}, {1, 0}});
    uniform(given.request);
    tests::Priced priced(given);
    std::string text;
    for (const Point& point : sync_curve(priced.pricing, priced.free)) {
        text += fmt::format("{}x{}: {:.3g} ", point.size.units, point.size.each, point.price.time);
    }
    EXPECT_EQ(text, "2x1: 32 2x2: 32 ");
}

// A request of exactly this size and mode has one answer by trying all sets.
void compare(const tests::RandomCase& given, const Point& point) {
    tests::RandomCase only = given;
    only.request.mode = point.mode;
    only.request.keep_sample_rate(given.request.max_sample_rate);
    only.request.min_gpus = only.request.max_gpus =
        static_cast<std::uint32_t>(point.size.members());
    const auto best = tests::try_all_sets(only.request, only.cluster);
    RC_ASSERT(best.has_value());
    RC_ASSERT(std::abs(best->cost.first / point.price.time - 1) < 1e-12);
    RC_ASSERT(best->cost.second == point.price.tie);
}

RC_GTEST_PROP(Curve, HoldsTheBestSetOfEachSize, (std::uint64_t seed)) {
    const tests::RandomCase given = tests::random_case(seed, 6);
    tests::Priced priced(given);
    const std::vector<Point> curves[] = {independent_curve(priced.pricing, priced.free),
                                         sync_curve(priced.pricing, priced.free),
                                         async_curve(priced.pricing, priced.free),
                                         balanced_curve(priced.pricing, priced.free, false)};
    for (const std::vector<Point>& curve : curves) {
        std::uint64_t members = 0;
        for (const Point& point : curve) {
            RC_ASSERT(point.size.members() > members);
            members = point.size.members();
            compare(given, point);
        }
    }
    const auto fastest = balanced_curve(priced.pricing, priced.free, true);
    const auto by_price = [](const Point& a, const Point& b) { return a.price < b.price; };
    const std::vector<Point>& all = curves[3];
    RC_ASSERT(fastest.empty() == all.empty());
    if (!all.empty()) {
        const Point& best = *std::min_element(all.begin(), all.end(), by_price);
        RC_ASSERT(fastest.size() == 1U);
        RC_ASSERT(fastest.front().price == best.price);
        RC_ASSERT(fastest.front().size.members() == best.size.members());
    }
}

}  // namespace
}  // namespace hora::plan
