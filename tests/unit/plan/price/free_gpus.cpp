// Is each part's content counted once, and are parts that are alike one class?
#include "libplanner/plan/price/free_gpus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

// Of a part: units by shape and by the overhead of their node.
using Content = std::map<std::pair<std::vector<std::pair<std::uint32_t, std::uint32_t>>, double>,
                         std::uint64_t>;

std::vector<std::pair<std::uint32_t, std::uint32_t>> kinds_of(const Shape& shape) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> kinds;
    for (const Kind& kind : shape) {
        kinds.emplace_back(kind.device, kind.count);
    }
    return kinds;
}

bool is_usable(const tests::Priced& priced, std::uint32_t gpu) {
    const domain::Gpu& one = priced.of.cluster.gpus[gpu];
    return one.is_free && priced.pricing.largest_share(one.device) > 0;
}

using IsCounted = std::function<bool(std::uint32_t node)>;

Content counted(const tests::Priced& priced, std::uint32_t part, const IsCounted& is_counted) {
    const domain::Cluster& cluster = priced.of.cluster;
    Content content;
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> nodes;
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        const domain::Gpu& one = cluster.gpus[gpu];
        if (!is_usable(priced, gpu) || !tests::is_inside(cluster, gpu, part) ||
            !is_counted(one.node)) {
            continue;
        }
        ++nodes[one.node][one.device];
        if (priced.of.request.layout == domain::Layout::any) {
            ++content[{{{one.device, 1}}, cluster.nodes[one.node].overhead.count()}];
        }
    }
    for (const auto& [node, kinds] : nodes) {
        if (priced.of.request.layout == domain::Layout::uniform) {
            ++content[{{kinds.begin(), kinds.end()}, cluster.nodes[node].overhead.count()}];
        }
    }
    return content;
}

Content counted(const tests::Priced& priced, std::uint32_t part) {
    return counted(priced, part, [](std::uint32_t) { return true; });
}

// In which no link inside a node is slower.
bool is_as_fast_inside(const tests::Priced& priced, std::uint32_t node, const domain::Link& link) {
    const std::uint32_t gpu[] = {first_gpu_of(priced.of.cluster, node)};
    return is_as_fast(tests::exchanging(priced.of.cluster, gpu).inside, link);
}

void check(const tests::Priced& priced, const SomeNodes& some, const PartLink& link,
           const Content& content) {
    const bool is_any = priced.of.request.layout == domain::Layout::any;
    RC_ASSERT(link.link == priced.of.cluster.parts[some.outer].link);
    RC_ASSERT(link.spread == (is_any ? Spread::two_nodes : Spread::by_unit));
    RC_ASSERT(link.inside == some.inside);
    RC_ASSERT(some.pair.size() == (is_any ? 2U : 0U));
    RC_ASSERT(content == counted(priced, some.outer, [&](std::uint32_t node) {
                  const auto& pair = some.pair;
                  return is_as_fast_inside(priced, node, some.inside) &&
                         (pair.empty() || std::count(pair.begin(), pair.end(), node) > 0);
              }));
}

Content told(const FreeGpus& free, const PartClass& part) {
    Content content;
    for (const Group& group : part.groups) {
        std::uint64_t before = 0;
        for (const Run& run : group.runs) {
            RC_ASSERT(run.upto > before);
            content[{kinds_of(free.shapes()[group.shape]), run.overhead.count()}] +=
                run.upto - before;
            before = run.upto;
        }
        RC_ASSERT(
            std::is_sorted(group.runs.begin(), group.runs.end(),
                           [](const Run& a, const Run& b) { return a.overhead < b.overhead; }));
    }
    return content;
}

// One of the best sets of its size, and all of it.
void check(const tests::Priced& priced, const PartClass& part, const MeshPart& mesh,
           const domain::Link& link) {
    const domain::Cluster& cluster = priced.of.cluster;
    tests::GpuIndices usable;
    tests::GpuIndices own;
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        if (is_usable(priced, gpu) && cluster.gpus[gpu].node == mesh.node) {
            usable.push_back(gpu);
            if ((mesh.set >> cluster.gpus[gpu].index & 1U) != 0) {
                own.push_back(gpu);
            }
        }
    }
    RC_ASSERT(own.size() == part.only);
    RC_ASSERT(mesh.link == link);
    RC_ASSERT(part.units == (priced.of.request.layout == domain::Layout::any ? part.only : 1U));
    tests::for_each_set(usable, own.size(), [&](const tests::GpuIndices& set) {
        RC_ASSERT(set.size() == 1U || tests::link_of(cluster, set).bandwidth <= link.bandwidth);
    });
    RC_ASSERT(own.size() == 1U || tests::link_of(cluster, own) == link);
}

RC_GTEST_PROP(FreeGpus, AreCountedInEachPartOnce, (std::uint64_t seed)) {
    const tests::Priced priced(tests::random_case(seed, 16));
    const domain::Cluster& cluster = priced.of.cluster;
    std::set<std::uint32_t> seen;
    std::vector<PartLink> links;
    for (const LinkClasses& link : priced.free.links()) {
        RC_ASSERT(std::find(links.begin(), links.end(), link) == links.end());
        links.push_back(link);
        std::set<std::pair<std::uint32_t, Content>> contents;
        std::uint64_t units = std::numeric_limits<std::uint64_t>::max();
        for (const PartClass& part : link.classes) {
            RC_ASSERT(part.units <= units);
            units = part.units;
            const Content content = told(priced.free, part);
            RC_ASSERT(contents.emplace(part.only, content).second);
            std::uint64_t sum = 0;
            for (const auto& [what, count] : content) {
                sum += count;
            }
            RC_ASSERT(sum == part.units);
            for (const std::uint32_t index : part.parts) {
                RC_ASSERT(seen.insert(index).second);
                if (const MeshPart* const mesh = priced.free.mesh_part(index)) {
                    check(priced, part, *mesh, link.link);
                    continue;
                }
                if (const SomeNodes* const some = priced.free.some_nodes(index)) {
                    check(priced, *some, link, content);
                    continue;
                }
                RC_ASSERT(part.only == 0U);
                RC_ASSERT(cluster.parts[index].link == link.link);
                RC_ASSERT(counted(priced, index) == content);
            }
        }
    }
    for (std::uint32_t part = 0; part < cluster.parts.size(); ++part) {
        const bool is_told = !counted(priced, part).empty() && !tests::is_in_mesh(cluster, part);
        RC_ASSERT(seen.contains(part) == is_told);
    }
    RC_ASSERT(seen.size() <= priced.free.parts());
}

RC_GTEST_PROP(FreeGpus, KnowWhereAPartsGpusLie, (std::uint64_t seed)) {
    const tests::Priced priced(tests::random_case(seed, 16));
    const domain::Cluster& cluster = priced.of.cluster;
    std::uint64_t total = 0;
    std::map<std::uint32_t, std::uint32_t> nodes;
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        if (!is_usable(priced, gpu)) {
            continue;
        }
        ++total;
        ++nodes[cluster.gpus[gpu].node];
        for (std::uint32_t part = 0; part < cluster.parts.size(); ++part) {
            const GpuRange range = priced.free.range_of(part);
            RC_ASSERT(!tests::is_inside(cluster, gpu, part) ||
                      (range.first <= gpu && gpu < range.end));
        }
    }
    std::uint32_t most = 0;
    for (const auto& [node, count] : nodes) {
        most = std::max(most, count);
    }
    RC_ASSERT(priced.free.total() == total);
    RC_ASSERT(priced.free.most_in_a_node() == most);
}

TEST(FreeGpus, OfNoneThereAreNoParts) {
    tests::RandomCase given = tests::plain_case({{0, 0}});
    given.cluster.gpus[0].is_free = given.cluster.gpus[1].is_free = false;
    const tests::Priced priced(given);
    EXPECT_TRUE(priced.free.links().empty());
    EXPECT_EQ(priced.free.total(), 0U);
    EXPECT_EQ(priced.free.most_in_a_node(), 0U);
}

TEST(FreeGpus, ShapesCountByDevice) {
    const domain::Cluster cluster = tests::plain_case({{1, 0, 1, 2}}).cluster;
    const std::uint32_t all[] = {0, 1, 2, 3};
    EXPECT_EQ(shape_of(cluster, all), (Shape{{0, 1}, {1, 2}, {2, 1}}));
    EXPECT_EQ(shape_of(cluster, {}), Shape{});
}

}  // namespace
}  // namespace hora::plan
