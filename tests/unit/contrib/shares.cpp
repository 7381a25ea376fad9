#include "contrib/trainer/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::trainer {
namespace {

using Shares = std::vector<std::uint64_t>;
using Asked = std::vector<std::optional<std::uint64_t>>;

struct Case {
    const char* sentence;
    Asked asked;
    std::uint64_t batch;
    Shares shares;  // empty: refused
};

const Case cases[] = {
    {"one rank takes all", {std::nullopt}, 64, {64}},
    {"without a word the shares are equal", {std::nullopt, std::nullopt}, 64, {32, 32}},
    {"the first ranks take what is left over", {{}, {}, {}}, 64, {22, 21, 21}},
    {"more ranks than samples leave some idle", {{}, {}, {}}, 2, {1, 1, 0}},
    {"what is asked for is taken", {40, 20, 4}, 64, {40, 20, 4}},
    {"a rank may have nothing", {64, 0}, 64, {64, 0}},
    {"too little is refused", {40, 20}, 64, {}},
    {"too much is refused", {40, 40}, 64, {}},
    {"all ranks say or none", {64, std::nullopt}, 64, {}},
};

TEST(Shares, SumToTheBatch) {
    for (const Case& test : cases) {
        const auto shares = to_shares(test.asked, test.batch);
        EXPECT_EQ(shares.value_or(Shares{}), test.shares) << test.sentence;
        EXPECT_EQ(shares.has_value(), !test.shares.empty()) << test.sentence;
    }
}

RC_GTEST_PROP(Shares, SlicesCoverEveryBatchOnce, ()) {
    const auto shares =
        *rc::gen::nonEmpty(rc::gen::container<Shares>(rc::gen::inRange<std::uint64_t>(0, 100)));
    std::uint64_t batch = 0;
    for (const std::uint64_t share : shares) {
        batch += share;
    }
    RC_PRE(batch > 0u);
    const auto size = *rc::gen::inRange<std::uint64_t>(1, batch + 1);
    std::uint64_t next = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        const Slice slice = slice_of(shares, rank, size);
        RC_ASSERT(slice.begin == next);
        RC_ASSERT(slice.end >= slice.begin);
        RC_ASSERT(size != batch || slice.end - slice.begin == shares[rank]);
        next = slice.end;
    }
    RC_ASSERT(next == size);
}

}  // namespace
}  // namespace hora::trainer
