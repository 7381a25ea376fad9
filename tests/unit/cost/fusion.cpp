// Do fused tensors take what their messages take, counted round by round?
#include "libplanner/cost/fusion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hora::cost {
namespace {

using domain::Exchange;

std::vector<Bytes> sizes_of(const std::vector<double>& numbers) {
    std::vector<Bytes> sizes;
    for (const double number : numbers) {
        sizes.emplace_back(number);
    }
    return sizes;
}

TEST(Fusion, GathersTensorsInTheirOrder) {
    struct Case {
        const char* name;
        std::vector<double> tensors;
        double buffer;
        std::vector<double> buffers;
    };
    const Case cases[] = {
        {"no tensor, no buffer", {}, 10, {}},
        {"all that fit", {4, 3, 3}, 10, {10}},
        {"the next begins another", {4, 3, 4}, 10, {7, 4}},
        {"what is too large travels alone", {4, 30, 3, 3}, 10, {4, 30, 6}},
        {"no buffer: each alone", {4, 3, 3}, 0, {4, 3, 3}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(fused_buffers(sizes_of(each.tensors), Bytes(each.buffer)),
                  sizes_of(each.buffers));
    }
}

// 1000 bytes in ten tensors over 100 bytes a second with 1 s latency, by a ring of four.
TEST(Fusion, PaysTheLatencyForEachBuffer) {
    const std::vector<Bytes> tensors(10, Bytes(100));
    const Members four = one_on_each_node(4, {Bandwidth(100), Seconds(1)});
    const auto time = [&](double buffer) {
        return fused_exchange(tensors, Bytes(buffer), Exchange::ring, four).count();
    };
    EXPECT_DOUBLE_EQ(time(1000), 15 + 6);
    EXPECT_DOUBLE_EQ(time(500), 15 + 2 * 6);
    EXPECT_DOUBLE_EQ(time(0), 15 + 10 * 6);
    EXPECT_EQ(fused_exchange(tensors, Bytes(0), Exchange::ring, one_on_each_node(1, four.link)),
              Seconds(0));
}

// Every message of every rank: it leaves when the one before has come, and comes when its bytes are
// sent, and a latency later.
Seconds count_messages(const std::vector<Bytes>& tensors, Bytes buffer, std::size_t ranks,
                       const domain::Link& link) {
    std::vector<Seconds> ready(ranks);
    for (std::size_t next = 0; next < tensors.size();) {
        Bytes together = tensors[next++];
        while (next < tensors.size() && together + tensors[next] <= buffer) {
            together += tensors[next++];
        }
        for (std::size_t round = 0; round < 2 * (ranks - 1); ++round) {
            std::vector<Seconds> came(ranks);
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const Bytes chunk = together / static_cast<double>(ranks);
                came[(rank + 1) % ranks] = ready[rank] + chunk / link.bandwidth + link.latency;
            }
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                ready[rank] = std::max(ready[rank], came[rank]);
            }
        }
    }
    return *std::max_element(ready.begin(), ready.end());
}

RC_GTEST_PROP(Fusion, EqualsTheMessagesOfARingOneByOne, ()) {
    std::vector<Bytes> tensors;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
        tensors.emplace_back(*rc::gen::inRange(1, 1000));
    }
    const auto ranks = *rc::gen::inRange<std::size_t>(2, 9);
    const domain::Link link{Bandwidth(*rc::gen::inRange(1, 1000)),
                            Seconds(*rc::gen::inRange(0, 100) * 0.01)};
    const Bytes buffer(*rc::gen::inRange(0, 3000));
    const Seconds counted = count_messages(tensors, buffer, ranks, link);
    const Seconds time =
        fused_exchange(tensors, buffer, Exchange::ring, one_on_each_node(ranks, link));
    RC_ASSERT(std::abs((time - counted).count()) <= 1e-9 * (1 + counted.count()));
}

RC_GTEST_PROP(Fusion, NeverTakesLongerInALargerBuffer, ()) {
    const std::vector<Bytes> tensors(*rc::gen::inRange<std::size_t>(1, 20),
                                     Bytes(*rc::gen::inRange(1, 1000)));
    const int buffer = *rc::gen::inRange(0, 3000);
    const auto kind = *rc::gen::element(Exchange::ring, Exchange::tree, Exchange::automatic);
    const Members members =
        one_on_each_node(*rc::gen::inRange<std::uint64_t>(1, 40), {Bandwidth(100), Seconds(0.1)});
    const Seconds less = fused_exchange(tensors, Bytes(buffer), kind, members);
    const Seconds more = fused_exchange(tensors, Bytes(buffer + 500), kind, members);
    RC_ASSERT(more <= less * (1 + 1e-12));
}

}  // namespace
}  // namespace hora::cost
