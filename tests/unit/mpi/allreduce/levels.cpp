// Do levels give all ranks the sum, whatever their digits and the order of the messages?
#include "plugins/mpi/allreduce/levels.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/unit/mpi/allreduce/postbox.hpp"

namespace hora::mpi {
namespace {

using Parts = std::vector<Level>;

std::uint32_t ranks_of(const Parts& levels) {
    std::uint32_t ranks = 1;
    for (const Level& level : levels) {
        ranks *= level.factor;
    }
    return ranks;
}

struct Case {
    const char* sentence;
    Parts levels;
};

const Case cases[] = {
    {"two ranks that exchange all", {{2, true}}},
    {"two ranks that sum a half each", {{2, false}}},
    {"five ranks that exchange all", {{5, true}}},
    {"seven ranks that sum a part each", {{7, false}}},
    {"halving and doubling", {{2, false}, {2, false}, {2, false}}},
    {"doubling alone", {{2, true}, {2, true}, {2, true}}},
    {"halving, and then all", {{2, false}, {3, false}, {2, true}}},
    {"several digits", {{3, false}, {2, true}, {4, true}}},
};

template <class T>
AllRanks<T> all_ranks(const Parts& levels, std::size_t count, std::uint32_t lanes, Element element,
                      T step, bool is_in_place) {
    return AllRanks<T>(vectors_of<T>(ranks_of(levels), count, step), element, is_in_place,
                       [&](const Reduction& reduction, std::uint32_t rank, Outbox& outbox) {
                           return std::make_unique<Levels>(reduction, 7, rank, levels, lanes,
                                                           outbox);
                       });
}

// Also where parts and lanes are empty.
TEST(Levels, GiveEachRankTheSum) {
    for (const Case& test : cases) {
        const std::uint32_t ranks = ranks_of(test.levels);
        for (const std::size_t count : {0u, 1u, 2u, 5u, 23u, 64u}) {
            for (const std::uint32_t lanes : {1u, 2u, 3u, 9u}) {
                for (const bool is_in_place : {false, true}) {
                    auto all = all_ranks<std::int32_t>(test.levels, count, lanes, Element::int32, 3,
                                                       is_in_place);
                    all.run(static_cast<std::uint32_t>(count) + lanes);
                    ASSERT_TRUE(all.is_complete()) << test.sentence << ", " << count << " elements";
                    for (std::size_t i = 0; i < count; ++i) {
                        std::int32_t sum = 0;
                        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                            sum += all.own(rank)[i];
                        }
                        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                            ASSERT_EQ(all.result(rank)[i], sum)
                                << test.sentence << ", " << count << " elements, " << lanes
                                << " lanes, rank " << rank;
                        }
                    }
                }
            }
        }
    }
}

TEST(Levels, SumInOneOrderHoweverMessagesCome) {
    for (const Case& test : cases) {
        std::vector<float> first;
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            auto all = all_ranks<float>(test.levels, 41, 3, Element::float32, 0.1F, seed % 2 == 0);
            all.run(seed);
            ASSERT_TRUE(all.is_complete()) << test.sentence;
            first = seed == 0 ? all.result(0) : first;
            for (std::uint32_t rank = 0; rank < ranks_of(test.levels); ++rank) {
                ASSERT_EQ(all.result(rank), first) << test.sentence << ", rank " << rank;
            }
        }
    }
}

// Rank 3 of two and three, which has begun to sum twelve ones.
struct OneOfSix {
    explicit OneOfSix(std::uint32_t lanes)
        : levels({.element = Element::int32,
                  .from = reinterpret_cast<const std::byte*>(own.data()),
                  .into = reinterpret_cast<std::byte*>(into.data()),
                  .count = own.size()},
                 7, 3, {{2, false}, {3, true}}, lanes, box) {
        levels.start();
    }

    const std::vector<std::int32_t> own = std::vector<std::int32_t>(12, 1);
    std::vector<std::int32_t> into = std::vector<std::int32_t>(12);
    Postbox box;
    Levels levels;
};

// The least digit is that of the first level: rank 3 of two and three is 1 in the first digit, and
// 1 in the second, which is worth 2.
TEST(Levels, TalkToRanksThatDifferInOneDigit) {
    OneOfSix rank(1);
    auto& [own, into, box, levels] = rank;
    ASSERT_EQ(box.letters.size(), 1u);
    EXPECT_EQ(box.letters[0].to, 2u);
    EXPECT_EQ(box.letters[0].payload.size(), 24u);
    EXPECT_EQ(box.letters[0].header,
              (ItemHeader{.reduction = 7, .piece = 0, .first = 0, .last = 1}));
    box.letters.clear();
    levels.accept(arrived({.reduction = 7, .last = 0}, std::as_bytes(std::span(own).first(6))));
    std::vector<std::uint32_t> to;
    for (const auto& letter : box.letters) {
        to.push_back(letter.to);
        EXPECT_EQ(letter.payload.size(), 24u);
        EXPECT_EQ(letter.header.first, 1u);
    }
    std::ranges::sort(to);
    EXPECT_EQ(to, (std::vector<std::uint32_t>{1, 5}));
    EXPECT_FALSE(levels.is_complete());
}

TEST(Levels, RefuseWhatOtherVectorsSend) {
    OneOfSix rank(2);
    auto& [own, into, box, levels] = rank;
    constexpr std::uint32_t large = 0xffffffff;
    struct Refused {
        const char* sentence;
        ItemHeader header;
        std::size_t elements;
    };
    const Refused refused[] = {
        {"a lane too many", {.piece = 2}, 3},
        {"a lane far beyond", {.piece = large}, 3},
        {"a level too many", {.first = 2}, 3},
        {"a level far beyond", {.first = large}, 3},
        {"a digit too large", {.last = 2}, 3},
        {"a digit far beyond", {.last = large}, 3},
        {"an element too few", {}, 2},
        {"an element too many", {}, 4},
        {"nothing", {}, 0},
        {"a sum with an element too many", {.kind = ItemKind::result}, 4},
    };
    for (const Refused& test : refused) {
        EXPECT_THROW(
            levels.accept(arrived(test.header, std::as_bytes(std::span(own).first(test.elements)))),
            std::runtime_error)
            << test.sentence;
    }
}

}  // namespace
}  // namespace hora::mpi
