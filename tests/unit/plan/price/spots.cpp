// Are all parts found in which a point's price is reached, with all of their GPUs that reach it?
#include "libplanner/plan/price/spots.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Mode;

tests::GpuIndices usable_in(const tests::Priced& priced, std::uint32_t part) {
    tests::GpuIndices gpus;
    for (const std::uint32_t gpu : tests::free_gpus(priced.of.cluster)) {
        if (priced.pricing.largest_share(priced.of.cluster.gpus[gpu].device) > 0 &&
            tests::is_inside(priced.of.cluster, gpu, part)) {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

tests::GpuIndices usable_on(const tests::Priced& priced, std::uint32_t node) {
    tests::GpuIndices gpus = usable_in(priced, 0);
    std::erase_if(gpus,
                  [&](std::uint32_t gpu) { return priced.of.cluster.gpus[gpu].node != node; });
    return gpus;
}

// Of the cluster's parts, by the layout; null: it has no free GPU, or is in a mesh.
const LinkClasses* link_of(const FreeGpus& free, std::uint32_t part) {
    for (const LinkClasses& link : free.links()) {
        for (const PartClass& one : link.classes) {
            if (std::count(one.parts.begin(), one.parts.end(), part) > 0) {
                return &link;
            }
        }
    }
    return nullptr;
}

// Those of two nodes are all alike where each GPU has its price whatever the others are.
tests::GpuIndices usable_in(const tests::Priced& priced, const SomeNodes& some, Mode mode) {
    const bool is_together = mode == Mode::independent || mode == Mode::sync;
    tests::GpuIndices gpus = usable_in(priced, some.outer);
    std::erase_if(gpus, [&](std::uint32_t gpu) {
        const std::uint32_t node = priced.of.cluster.gpus[gpu].node;
        const std::uint32_t one[] = {gpu};
        return !is_as_fast(tests::exchanging(priced.of.cluster, one).inside, some.inside) ||
               (!some.pair.empty() && !is_together &&
                std::count(some.pair.begin(), some.pair.end(), node) == 0);
    });
    return gpus;
}

// Where each GPU is priced by itself, those of the point's price or less over the link.
tests::GpuIndices in_time(tests::Priced& priced, const Point& point, const PartLink& link,
                          tests::GpuIndices gpus) {
    if (point.mode != Mode::independent && point.mode != Mode::sync) {
        return gpus;
    }
    Pricing& pricing = priced.pricing;
    const Seconds exchange = pricing.exchange(link.exchanging(point.size.units, point.size.each));
    std::erase_if(gpus, [&](std::uint32_t gpu) {
        const domain::Gpu& one = priced.of.cluster.gpus[gpu];
        const Seconds step =
            pricing.step_time(one.device, pricing.share_of(point.size.members()), exchange);
        return pricing.price(step, priced.of.cluster.nodes[one.node].overhead) > point.price;
    });
    return gpus;
}

// A synchronous set of the point's size over the part's link: is there one of the point's price?
bool reaches(tests::Priced& priced, const Point& point, std::uint32_t part) {
    const LinkClasses* const link = link_of(priced.free, part);
    if (link == nullptr) {
        return false;
    }
    std::map<std::uint32_t, std::uint64_t> on;
    for (const std::uint32_t gpu : in_time(priced, point, *link, usable_in(priced, part))) {
        ++on[priced.of.cluster.gpus[gpu].node];
    }
    std::uint64_t units = 0;
    for (const auto& [node, count] : on) {
        const bool is_by_node = priced.of.request.layout == domain::Layout::uniform;
        units += is_by_node ? (count >= point.size.each ? 1 : 0) : count;
    }
    return units >= point.size.units;
}

// As few as have so many on so many nodes.
tests::GpuIndices first_enough(const tests::Priced& priced, const Size& size,
                               const tests::GpuIndices& gpus) {
    tests::GpuIndices first;
    std::map<std::uint32_t, std::uint32_t> on;
    const auto units = [&] {
        return static_cast<std::uint64_t>(
            std::ranges::count_if(on, [&](const auto& node) { return node.second >= size.each; }));
    };
    for (std::size_t i = 0; i < gpus.size() && units() < size.units; ++i) {
        first.push_back(gpus[i]);
        ++on[priced.of.cluster.gpus[gpus[i]].node];
    }
    return first;
}

// What a quick search finds in a part: in layout any as many of the fullest nodes as would do
// alone.
tests::GpuIndices quick_in(tests::Priced& priced, const Point& point, const Spot& spot) {
    tests::GpuIndices all = in_time(priced, point, *spot.link, usable_in(priced, spot.part));
    if (point.mode != Mode::independent && point.mode != Mode::sync) {
        return all;
    }
    Size size = point.size;
    if (priced.of.request.layout == domain::Layout::any) {
        std::uint32_t most = 0;
        for (std::uint32_t node = 0; node < priced.of.cluster.nodes.size(); ++node) {
            most = std::max(most, static_cast<std::uint32_t>(usable_on(priced, node).size()));
        }
        size = {(point.size.members() + most - 1) / most, most};
    }
    return first_enough(priced, size, all);
}

void check(tests::Priced& priced, const Point& point) {
    const domain::Cluster& cluster = priced.of.cluster;
    const auto spots = find_spots(priced.pricing, priced.free, point, Placing::thorough);
    RC_ASSERT(!spots.empty());
    std::set<std::uint32_t> found;
    for (const Spot& spot : spots) {
        RC_ASSERT(found.insert(spot.part).second);
        RC_ASSERT(std::count(spot.in->parts.begin(), spot.in->parts.end(), spot.part) == 1);
        if (const MeshPart* const mesh = priced.free.mesh_part(spot.part)) {
            RC_ASSERT(spot.gpus ==
                      in_time(priced, point, *spot.link, usable_on(priced, mesh->node)));
            RC_ASSERT(spot.link->link == mesh->link);
            RC_ASSERT(spot.in->only == point.size.members());
            continue;
        }
        if (const SomeNodes* const some = priced.free.some_nodes(spot.part)) {
            RC_ASSERT(spot.gpus ==
                      in_time(priced, point, *spot.link, usable_in(priced, *some, point.mode)));
            RC_ASSERT(spot.link->link == cluster.parts[some->outer].link);
            RC_ASSERT(spot.link->inside == some->inside);
            continue;
        }
        RC_ASSERT(spot.gpus == in_time(priced, point, *spot.link, usable_in(priced, spot.part)));
        RC_ASSERT(spot.link->link == cluster.parts[spot.part].link);
    }
    if (point.mode == Mode::sync || point.mode == Mode::independent) {
        for (std::uint32_t part = 0; part < cluster.parts.size(); ++part) {
            bool is_found = false;  // itself, or what it is inside of
            for (std::uint32_t at = part; at != domain::no_part; at = cluster.parts[at].parent) {
                is_found = is_found || found.contains(at);
            }
            const bool is_priced = !tests::is_in_mesh(cluster, part);
            RC_ASSERT((!is_priced || !reaches(priced, point, part) || is_found));
            RC_ASSERT(!found.contains(part) || (is_priced && reaches(priced, point, part)));
        }
    }
    const auto quick = find_spots(priced.pricing, priced.free, point, Placing::quick);
    RC_ASSERT(quick.size() == 1U);
    if (const SomeNodes* const some = priced.free.some_nodes(quick.front().part)) {
        RC_ASSERT(quick.front().gpus == in_time(priced, point, *quick.front().link,
                                                usable_in(priced, *some, point.mode)));
    } else if (priced.free.mesh_part(quick.front().part) == nullptr) {
        RC_ASSERT(quick.front().gpus == quick_in(priced, point, quick.front()));
    } else if (quick.front().gpus.size() > 1) {
        RC_ASSERT(tests::link_of(cluster, quick.front().gpus) == quick.front().link->link);
    }
    RC_ASSERT(quick.front().gpus.size() >= point.size.members());
}

RC_GTEST_PROP(Spots, AreAllPartsThatReachThePrice, (std::uint64_t seed)) {
    tests::RandomCase given = tests::random_case(seed, 10);
    given.request.accepts_async = given.request.accepts_balanced = true;
    tests::Priced priced(std::move(given));
    for (const Curve& curve : curves_of(priced.pricing, priced.free)) {
        for (const Point& point : curve.points) {
            check(priced, point);
        }
    }
}

TEST(Spots, LeaveOutAPartWhoseLinkIsNoFaster) {
    tests::RandomCase given = tests::plain_case({{0, 0}, {0, 0}});
    const Point pair = [&] {
        tests::Priced priced(given);
        return sync_curve(priced.pricing, priced.free).front();
    }();
    const auto parts_of = [&](const tests::RandomCase& of, const Point& point) {
        tests::Priced priced(of);
        std::vector<std::uint32_t> parts;
        for (const Spot& spot : find_spots(priced.pricing, priced.free, point, Placing::thorough)) {
            parts.push_back(spot.part);
        }
        std::sort(parts.begin(), parts.end());
        return parts;
    };
    EXPECT_EQ(parts_of(given, pair), (std::vector<std::uint32_t>{1, 2})) << "over slower links";
    for (domain::Part& part : given.cluster.parts) {
        part.link = {Bandwidth(1e9), Seconds(0)};
    }
    tests::Priced priced(given);
    EXPECT_EQ(parts_of(given, sync_curve(priced.pricing, priced.free).front()),
              std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace hora::plan
