// Does an exchange take what the formula says, and never less for more members?
#include "libplanner/cost/exchange.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

namespace hora::cost {
namespace {

using domain::Exchange;

// 1000 bytes over 100 bytes a second with 1 s latency.
TEST(Exchange, TakesWhatTheFormulaSays) {
    const domain::Link link{Bandwidth(100), Seconds(1)};
    struct Case {
        const char* name;
        Exchange kind;
        std::uint64_t members;
        double seconds;
    };
    const Case cases[] = {
        {"one member alone exchanges nothing", Exchange::ring, 1, 0},
        {"a ring of two: 2 * 1/2 * 10 s and 2 rounds", Exchange::ring, 2, 12},
        {"a ring of four: 2 * 3/4 * 10 s and 6 rounds", Exchange::ring, 4, 21},
        {"a tree of four: 2 * 10 s and 2 levels up and down", Exchange::tree, 4, 24},
        {"a tree of five has a third level", Exchange::tree, 5, 26},
        {"a server of two: 2 * 2 * 10 s and a message each way", Exchange::server, 2, 42},
        {"a server of four: 2 * 4 * 10 s", Exchange::server, 4, 82},
        {"the cheaper of ring and tree: the ring of four", Exchange::automatic, 4, 21},
        {"the cheaper of ring and tree: the tree of 32", Exchange::automatic, 32, 30},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        EXPECT_DOUBLE_EQ(
            exchange_time(one.kind, Bytes(1000), one_on_each_node(one.members, link)).count(),
            one.seconds);
    }
}

// 1000 bytes; between the nodes 100 bytes a second with 1 s latency, inside some more.
TEST(TreeExchange, KnowsOnHowManyNodesItIs) {
    const domain::Link between{Bandwidth(100), Seconds(1)};
    struct Case {
        const char* name;
        std::uint64_t count;
        std::uint64_t nodes;
        double inside;
        double seconds;
        Exchange cheaper;
    };
    const Case cases[] = {
        {"each of two nodes sends all once: 10 s and 2 rounds, as a ring", 2, 2, 100, 12,
         Exchange::ring},
        {"of 8 GPUs on two nodes as well: 10 s and 6 rounds", 8, 2, 1000, 16, Exchange::tree},
        {"also where one node has one GPU", 3, 2, 1000, 14, Exchange::tree},
        {"inside twice as fast is enough", 8, 2, 200, 16, Exchange::tree},
        {"the chains inside send up and down: 2 * 10 s / 1.25", 8, 2, 125, 22, Exchange::tree},
        {"as slow inside it is the tree of one node", 8, 2, 100, 26, Exchange::tree},
        {"of three nodes one sends twice as much", 8, 3, 1000, 26, Exchange::tree},
        {"and of more", 8, 8, 1000, 26, Exchange::tree},
        {"a node sends up and down", 8, 1, 100, 26, Exchange::tree},
        {"of two GPUs of a node each sends once", 2, 1, 100, 12, Exchange::ring},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const Members members{.count = one.count,
                              .nodes = one.nodes,
                              .link = between,
                              .inside = {Bandwidth(one.inside), Seconds(0)}};
        EXPECT_DOUBLE_EQ(tree_exchange(Bytes(1000), members).count(), one.seconds);
        EXPECT_EQ(cheapest_exchange(Bytes(1000), members, false).kind, one.cheaper);
    }
}

// 1000 bytes; inside 1000 bytes a second with 0.1 s latency, between 100 with 1 s.
TEST(HierarchicalExchange, TakesWhatTheFormulaSays) {
    const domain::Link inside{Bandwidth(1000), Seconds(0.1)};
    const domain::Link between{Bandwidth(100), Seconds(1)};
    struct Case {
        const char* name;
        std::uint64_t nodes;
        std::uint64_t gpus_per_node;
        double seconds;
    };
    const Case cases[] = {
        {"one GPU alone exchanges nothing", 1, 1, 0},
        {"one node of four is a ring inside: 2 * 3/4 * 1 s and 6 rounds", 1, 4, 2.1},
        {"nodes of one GPU are a ring between: 2 * 3/4 * 10 s and 6 rounds", 4, 1, 21},
        {"two nodes of two: a ring of two inside, 1.2 s, and one of two between, 12 s", 2, 2, 13.2},
        {"two nodes of four share their links: 2.1 s and the same 12 s", 2, 4, 14.1},
        {"four nodes of two: 1.2 s and a ring of four between, 21 s", 4, 2, 22.2},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        EXPECT_DOUBLE_EQ(
            hierarchical_exchange(Bytes(1000), one.nodes, one.gpus_per_node, inside, between)
                .count(),
            one.seconds);
    }
}

// It passes a node's link (m - 1) / m of the bytes twice and a ring of all GPUs (n - 1) / n: the
// gain is largest on two nodes, and goes with more of them.
TEST(HierarchicalExchange, GainsLessOnMoreNodes) {
    const domain::Link inside{Bandwidth(1e12), Seconds(0)};
    const domain::Link between{Bandwidth(1e9), Seconds(0)};
    const auto ratio = [&](std::uint64_t nodes) {
        return hierarchical_exchange(Bytes(1e9), nodes, 8, inside, between) /
               ring_exchange(Bytes(1e9), nodes * 8, between);
    };
    EXPECT_NEAR(ratio(2), 0.534, 0.001);
    EXPECT_NEAR(ratio(4), 0.775, 0.001);
    EXPECT_NEAR(ratio(8), 0.890, 0.001);
    EXPECT_NEAR(ratio(32), 0.974, 0.001);
}

TEST(HierarchicalExchange, IsSlowerThanARingWhereItsLinksAreAlike) {
    const domain::Link link{Bandwidth(1e9), Seconds(0)};
    EXPECT_GT(hierarchical_exchange(Bytes(1e9), 4, 4, link, link),
              ring_exchange(Bytes(1e9), 16, link));
}

TEST(Exchange, IsNamedAsItIsCounted) {
    const domain::Link link{Bandwidth(100), Seconds(1)};
    EXPECT_EQ(cheapest_exchange(Bytes(1000), one_on_each_node(4, link), true).kind, Exchange::ring);
    EXPECT_EQ(cheapest_exchange(Bytes(1000), one_on_each_node(32, link), true).kind,
              Exchange::tree);
}

// 1000 bytes; between the nodes 100 bytes a second, inside `inside`.
TEST(HierarchicalExchange, IsTakenWhereItIsAcceptedAndCheapest) {
    struct Case {
        const char* name;
        std::uint64_t nodes;
        std::uint64_t on_each;
        std::uint64_t count;
        double inside;
        Exchange cheapest;
        double seconds;  // of a hierarchy
    };
    const Case cases[] = {
        {"four nodes of four: 1.5 s and 15 s, where a ring takes 18.75 s", 4, 4, 16, 1000,
         Exchange::hierarchy, 16.5},
        {"on two nodes a tree sends as little, and nothing more inside", 2, 4, 8, 1000,
         Exchange::tree, 11.5},
        {"as slow inside a ring is better", 4, 4, 16, 100, Exchange::ring, 30},
        {"a node has no hierarchy", 1, 4, 4, 100, Exchange::ring, 15},
        {"nor have nodes of one GPU", 4, 1, 4, 1000, Exchange::ring, 15},
        {"nor such with another number on each", 4, 0, 9, 1000, Exchange::ring, 160.0 / 9},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const Members members{.count = one.count,
                              .nodes = one.nodes,
                              .link = {Bandwidth(100), Seconds(0)},
                              .inside = {Bandwidth(one.inside), Seconds(0)},
                              .on_each = one.on_each};
        EXPECT_EQ(cheapest_exchange(Bytes(1000), members, true).kind, one.cheapest);
        EXPECT_NE(cheapest_exchange(Bytes(1000), members, false).kind, Exchange::hierarchy);
        EXPECT_DOUBLE_EQ(exchange_time(Exchange::hierarchy, Bytes(1000), members).count(),
                         one.seconds);
    }
}

TEST(Exchange, GradientsAreAsManyAsWeights) {
    domain::Workload workload;
    EXPECT_EQ(gradient_bytes(workload).count(), 0);
    workload.layers = {{1, 100, 7}, {1, 0, 7}, {1, 50, 7}};
    EXPECT_EQ(gradient_bytes(workload).count(), 150);
}

TEST(Exchange, OfNobodyTakesNoTime) {
    const domain::Link link{Bandwidth(100), Seconds(1)};
    for (const Exchange kind :
         {Exchange::automatic, Exchange::ring, Exchange::tree, Exchange::server}) {
        for (const std::uint64_t members : {0U, 1U}) {
            EXPECT_EQ(exchange_time(kind, Bytes(1000), one_on_each_node(members, link)).count(), 0);
        }
    }
    EXPECT_EQ(server_exchange(Bytes(1000), 0, link).count(), 0);
    EXPECT_DOUBLE_EQ(server_exchange(Bytes(1000), 1, link).count(), 22);
}

TEST(Exchange, OverADeadLinkIsANumber) {
    const domain::Link dead{Bandwidth(0), Seconds(0)};
    const domain::Link slow{Bandwidth(1e-300), Seconds(0)};
    for (const Exchange kind :
         {Exchange::automatic, Exchange::ring, Exchange::tree, Exchange::server}) {
        const double time =
            exchange_time(kind, Bytes(1e15), one_on_each_node(100000, dead)).count();
        EXPECT_TRUE(std::isfinite(time));
        EXPECT_GT(time, 1e29);
        EXPECT_LE(exchange_time(kind, Bytes(1e15), one_on_each_node(100000, slow)).count(), time);
    }
}

// What the planner's searches rely on.
RC_GTEST_PROP(Exchange, NeverFallsWithMembersNodesAndSlownessOfALink, ()) {
    const auto size = Bytes(*rc::gen::inRange(0, 1'000'000'000));
    const domain::Link inside{Bandwidth(*rc::gen::inRange(1, 1'000'000'000)),
                              Seconds(*rc::gen::inRange(0, 1000) * 1e-6)};
    const domain::Link link{inside.bandwidth / *rc::gen::inRange(1, 4),
                            inside.latency * *rc::gen::inRange(1, 4)};
    const auto slower = [](const domain::Link& of) {
        return domain::Link{of.bandwidth * 0.999, of.latency * 1.001};
    };
    for (const Exchange kind :
         {Exchange::automatic, Exchange::ring, Exchange::tree, Exchange::server}) {
        const auto time = [&](std::uint64_t count, std::uint64_t nodes, const domain::Link& own,
                              const domain::Link& in) {
            return exchange_time(kind, size,
                                 {.count = count, .nodes = nodes, .link = own, .inside = in});
        };
        for (std::uint64_t count = 1; count < 70; ++count) {
            for (std::uint64_t nodes = 1; nodes <= std::min<std::uint64_t>(count, 4); ++nodes) {
                const domain::Link& own = nodes == 1 ? inside : link;
                const Seconds known = time(count, nodes, own, inside);
                RC_ASSERT(known <= time(count + 1, nodes, own, inside));
                RC_ASSERT(known <= time(count, nodes, slower(own), inside));
                RC_ASSERT(nodes == 1 || known <= time(count, nodes, own, slower(inside)));
                RC_ASSERT(nodes == count || known <= time(count, nodes + 1, link, inside));
            }
        }
    }
}

RC_GTEST_PROP(HierarchicalExchange, NeverFallsWithNodesGpusAndSlownessOfALink, ()) {
    const auto size = Bytes(*rc::gen::inRange(0, 1'000'000'000));
    const auto link = [] {
        return domain::Link{Bandwidth(*rc::gen::inRange(1, 1'000'000'000)),
                            Seconds(*rc::gen::inRange(0, 1000) * 1e-6)};
    };
    const domain::Link inside = link();
    const domain::Link between = link();
    const auto slower = [](const domain::Link& of) {
        return domain::Link{of.bandwidth * 0.999, of.latency * 1.001};
    };
    const auto nodes = *rc::gen::inRange<std::uint64_t>(1, 70);
    const auto gpus = *rc::gen::inRange<std::uint64_t>(1, 17);
    const Seconds time = hierarchical_exchange(size, nodes, gpus, inside, between);
    RC_ASSERT(time <= hierarchical_exchange(size, nodes + 1, gpus, inside, between));
    RC_ASSERT(time <= hierarchical_exchange(size, nodes, gpus + 1, inside, between));
    RC_ASSERT(time <= hierarchical_exchange(size, nodes, gpus, slower(inside), between));
    RC_ASSERT(time <= hierarchical_exchange(size, nodes, gpus, inside, slower(between)));
}

}  // namespace
}  // namespace hora::cost
