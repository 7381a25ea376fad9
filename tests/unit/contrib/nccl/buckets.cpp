#include "contrib/nccl/buckets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace hora::trainer {
namespace {

TEST(Buckets, CloseOnceTheyHoldEnough) {
    struct Case {
        const char* name;
        std::vector<std::size_t> sizes;
        std::size_t least;
        std::vector<Bucket> expected;
    };
    const Case cases[] = {
        {"no layer needs no bucket", {}, 1, {}},
        {"each layer is enough", {5, 3, 2}, 1, {{5, 5, 1}, {2, 3, 2}, {0, 2, 3}}},
        {"all together", {5, 3, 2}, 100, {{0, 10, 3}}},
        {"a large layer goes alone", {50, 3, 2}, 10, {{5, 50, 1}, {0, 5, 3}}},
        {"small ones wait for a large one", {1, 2, 50, 3}, 10, {{3, 53, 3}, {0, 3, 4}}},
        {"exactly enough is enough", {4, 4, 4}, 4, {{8, 4, 1}, {4, 4, 2}, {0, 4, 3}}},
        {"a layer without parameters adds nothing", {4, 0, 4}, 4, {{4, 4, 1}, {0, 4, 3}}},
        {"nothing to exchange is no bucket", {0, 0}, 0, {}},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(to_buckets(c.sizes, c.least), c.expected) << c.name;
    }
}

RC_GTEST_PROP(Buckets, CoverEachElementOnceAndWaitForNoOther, ()) {
    const auto sizes =
        *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 100));
    const auto least = *rc::gen::inRange<std::size_t>(0, 300);
    const std::size_t all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    std::size_t end = all;
    std::size_t layers = 0;
    const auto buckets = to_buckets(sizes, least);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const Bucket& bucket = buckets[i];
        RC_ASSERT(bucket.count > 0U);
        RC_ASSERT(bucket.begin + bucket.count == end);
        RC_ASSERT(bucket.layers > layers);
        // What it holds is computed when it leaves, and without its last layer it was not enough.
        std::size_t computed = 0;
        for (std::size_t layer = 0; layer < bucket.layers; ++layer) {
            computed += sizes[layer];
        }
        RC_ASSERT(all - bucket.begin == computed);
        const bool is_last = i + 1 == buckets.size();
        RC_ASSERT(is_last || bucket.count >= least);
        RC_ASSERT(bucket.count - sizes[bucket.layers - 1] < std::max<std::size_t>(least, 1));
        end = bucket.begin;
        layers = bucket.layers;
    }
    RC_ASSERT(end == 0U);
}

}  // namespace
}  // namespace hora::trainer
