// Are those nodes counted by themselves of which a set may be the best?
#include "libplanner/plan/price/some_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace hora::plan {
namespace {

// "0 1, 0 2"
std::string text_of(const std::vector<std::vector<NodeOffer>>& sets) {
    std::vector<std::string> all;
    for (const std::vector<NodeOffer>& set : sets) {
        std::vector<std::uint32_t> nodes;
        for (const NodeOffer& offer : set) {
            nodes.push_back(offer.node);
        }
        all.push_back(fmt::format("{}", fmt::join(nodes, " ")));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

TEST(SomeNodes, AreAsFastInside) {
    struct Case {
        const char* sentence;
        std::vector<domain::Link> inside;  // by node
        const char* levels;
    };
    const domain::Link fast{Bandwidth(20), Seconds(1)};
    const domain::Link slow{Bandwidth(10), Seconds(2)};
    const domain::Link late{Bandwidth(20), Seconds(2)};
    const Case cases[] = {
        {"of none there are none", {}, ""},
        {"one node is not several", {fast}, ""},
        {"alike they are one set", {fast, fast}, "0 1"},
        {"all, and those that are faster", {fast, slow, fast}, "0 1 2, 0 2"},
        {"a faster one alone is no set", {slow, slow, fast}, "0 1 2"},
        {"by bandwidth and by latency", {slow, late, fast, fast}, "0 1 2 3, 2 3, 1 2 3"},
    };
    for (const Case& test : cases) {
        std::vector<NodeOffer> offers;
        for (const domain::Link& inside : test.inside) {
            offers.push_back({static_cast<std::uint32_t>(offers.size()), 0, Seconds(0), inside});
        }
        EXPECT_EQ(text_of(levels_of(offers)), test.levels) << test.sentence;
    }
}

TEST(SomeNodes, ArePairedWhereNoTwoOthersGiveMore) {
    const std::vector<Shape> shapes{{{0, 1}}, {{0, 4}}, {{1, 4}}, {{0, 1}, {1, 1}}};
    struct Case {
        const char* sentence;
        std::vector<std::pair<std::uint32_t, double>> nodes;  // shape and overhead, which ascends
        const char* pairs;
    };
    const Case cases[] = {
        {"of none there are none", {}, ""},
        {"one node is no pair", {{1, 0}}, ""},
        {"of many alike the first two", {{1, 0}, {1, 0}, {1, 0}, {1, 0}}, "0 1"},
        {"the fuller ones", {{0, 0}, {1, 0}, {0, 0}, {1, 0}}, "1 3"},
        {"what has less overhead stays", {{0, 0}, {1, 1}, {1, 2}, {1, 3}}, "0 1, 0 2, 1 2"},
        {"another type is not less", {{1, 0}, {1, 0}, {2, 0}}, "0 1, 0 2, 1 2"},
        {"of two types it takes both to be more", {{1, 0}, {1, 0}, {3, 0}}, "0 1, 0 2, 1 2"},
        {"and less of each is less", {{3, 0}, {3, 0}, {0, 0}}, "0 1"},
    };
    for (const Case& test : cases) {
        std::vector<NodeOffer> offers;
        for (const auto& [shape, overhead] : test.nodes) {
            offers.push_back(
                {static_cast<std::uint32_t>(offers.size()), shape, Seconds(overhead), {}});
        }
        EXPECT_EQ(text_of(pairs_of(offers, shapes)), test.pairs) << test.sentence;
    }
}

// Of very many different ones some are left out, and the sets stay few.
TEST(SomeNodes, AreThinnedOut) {
    std::vector<NodeOffer> offers;
    for (std::uint32_t node = 0; node < 1000; ++node) {
        offers.push_back(
            {node, node, Seconds(node), {Bandwidth(1.0 + node), Seconds(1.0 + node % 7)}});
    }
    const auto levels = levels_of(offers);
    EXPECT_EQ(levels.front().size(), 1000U);
    EXPECT_LE(levels.size(), most_node_links * most_node_links);
    std::vector<Shape> shapes;
    for (std::uint32_t node = 0; node < 1000; ++node) {
        shapes.push_back({{0, node + 1}});
    }
    EXPECT_EQ(pairs_of(offers, shapes).size(), most_paired_nodes * (most_paired_nodes - 1) / 2);
}

}  // namespace
}  // namespace hora::plan
