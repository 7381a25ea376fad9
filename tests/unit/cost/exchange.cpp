// Does an exchange take what the formula says, and never less for more members?
#include "libplanner/cost/exchange.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
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
        EXPECT_DOUBLE_EQ(exchange_time(one.kind, Bytes(1000), one.members, link).count(),
                         one.seconds);
    }
}

TEST(Exchange, IsNamedAsItIsCounted) {
    const domain::Link link{Bandwidth(100), Seconds(1)};
    EXPECT_EQ(cheaper_exchange(Bytes(1000), 4, link), Exchange::ring);
    EXPECT_EQ(cheaper_exchange(Bytes(1000), 32, link), Exchange::tree);
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
            EXPECT_EQ(exchange_time(kind, Bytes(1000), members, link).count(), 0);
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
        const double time = exchange_time(kind, Bytes(1e15), 100000, dead).count();
        EXPECT_TRUE(std::isfinite(time));
        EXPECT_GT(time, 1e29);
        EXPECT_LE(exchange_time(kind, Bytes(1e15), 100000, slow).count(), time);
    }
}

// What the planner's searches rely on.
RC_GTEST_PROP(Exchange, NeverFallsWithMembersAndSlownessOfTheLink, ()) {
    const auto size = Bytes(*rc::gen::inRange(0, 1'000'000'000));
    const domain::Link link{Bandwidth(*rc::gen::inRange(1, 1'000'000'000)),
                            Seconds(*rc::gen::inRange(0, 1000) * 1e-6)};
    const domain::Link slower{link.bandwidth * 0.999, link.latency};
    const domain::Link later{link.bandwidth, link.latency * 1.001};
    for (const Exchange kind :
         {Exchange::automatic, Exchange::ring, Exchange::tree, Exchange::server}) {
        Seconds before;
        for (std::uint64_t members = 1; members < 70; ++members) {
            const Seconds time = exchange_time(kind, size, members, link);
            RC_ASSERT(time >= before);
            RC_ASSERT(time <= exchange_time(kind, size, members, slower));
            RC_ASSERT(time <= exchange_time(kind, size, members, later));
            before = time;
        }
    }
}

}  // namespace
}  // namespace hora::cost
