// Does the ring that does not wait for a late rank go ahead when it may, and sum each part once?
#include "plugins/mpi/allreduce/bypass.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/unit/mpi/allreduce/postbox.hpp"

namespace hora::mpi {
namespace {

std::unique_ptr<Algorithm> bypass_of(const Reduction& reduction, std::uint32_t rank,
                                     const Layout& layout, LatePartials late,
                                     std::optional<Seconds> patience, Outbox& outbox) {
    auto pace = std::make_shared<Pace>(layout.pieces() - 2 * layout.slices());
    while (pace->longest_addition() == never) {
        pace->learn_addition(Seconds(1));
    }
    return std::make_unique<Bypass>(reduction, 7, rank, layout, late, std::move(pace), patience,
                                    outbox);
}

// At once, soon, and not at all.
const std::optional<Seconds> patiences[] = {Seconds(0), Seconds(2), std::nullopt};

TEST(Bypass, GivesEachRankTheSumWhoeverGoesAhead) {
    std::size_t absences = 0;
    for (const std::uint32_t ranks : {2u, 3u, 4u, 7u}) {
        for (const std::size_t count : {0u, 1u, 3u, 29u}) {
            for (std::uint32_t seed = 0; seed < 180; ++seed) {
                const Layout layout(count, ranks, 1 + seed % 3);
                const auto late =
                    seed % 2 == 0 ? LatePartials::to_owner : LatePartials::to_successor;
                AllRanks<std::int32_t> all(
                    vectors_of<std::int32_t>(ranks, count, 3), Element::int32, seed % 5 == 0,
                    [&](const Reduction& reduction, std::uint32_t rank, Outbox& outbox) {
                        return bypass_of(reduction, rank, layout, late,
                                         patiences[(seed + rank) % 3], outbox);
                    });
                if (seed % 3 == 0) {
                    all.additions_take_up_to(Seconds(seed % 7), seed);
                } else {
                    all.additions_take(Seconds(seed % 4));
                }
                all.run(seed);
                absences += all.delivered(ItemKind::absent);
                ASSERT_TRUE(all.is_complete()) << ranks << " ranks, " << count << " elements";
                for (std::size_t i = 0; i < count; ++i) {
                    std::int32_t sum = 0;
                    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                        sum += all.own(rank)[i];
                    }
                    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                        ASSERT_EQ(all.result(rank)[i], sum)
                            << ranks << " ranks, " << count << " elements, seed " << seed;
                    }
                }
            }
        }
    }
    EXPECT_GT(absences, 50U);
}

TEST(Bypass, GivesAllRanksTheSameBits) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const Layout layout(29, 5, 2);
        AllRanks<float> all(vectors_of<float>(5, 29, 0.1F), Element::float32, seed % 2 == 0,
                            [&](const Reduction& reduction, std::uint32_t rank, Outbox& outbox) {
                                return bypass_of(reduction, rank, layout, LatePartials::to_owner,
                                                 patiences[seed % 3], outbox);
                            });
        if (seed % 3 == 0) {
            all.additions_take_up_to(Seconds(4), seed);
        }
        all.run(seed);
        ASSERT_TRUE(all.is_complete());
        for (std::uint32_t rank = 1; rank < 5; ++rank) {
            ASSERT_EQ(all.result(rank), all.result(0));
        }
    }
}

// Rank 3 of four, one element a chunk: it sends its part of chunk 2 at once, and those of the
// chunks 1 and 0 with what comes from rank 2. Chunk 3 is its own.
class RankThree : public testing::Test {
  protected:
    Algorithm& start(LatePartials late, std::optional<Seconds> patience) {
        algorithm_ = bypass_of({.element = Element::int32,
                                .from = reinterpret_cast<const std::byte*>(own_.data()),
                                .into = reinterpret_cast<std::byte*>(into_.data()),
                                .count = own_.size()},
                               3, Layout(4, 4, 1), late, patience, box_);
        algorithm_->start();
        return *algorithm_;
    }
    void accept(std::uint32_t piece, std::uint32_t first, std::uint32_t last, std::int32_t value,
                ItemKind kind = ItemKind::partial) {
        algorithm_->accept(
            arrived({.reduction = 7, .piece = piece, .first = first, .last = last, .kind = kind},
                    std::as_bytes(std::span(&value, 1)), box_.clock));
    }
    void accept_absence(std::uint32_t piece, std::uint32_t position) {
        algorithm_->accept(arrived({.reduction = 7,
                                    .piece = piece,
                                    .first = position,
                                    .last = position,
                                    .kind = ItemKind::absent},
                                   {}, box_.clock));
    }
    void work() {
        while (algorithm_->work()) {
        }
    }
    struct Sent {
        std::uint32_t to, piece, first, last;
        std::int32_t value = 0;
        ItemKind kind = ItemKind::partial;
        bool operator==(const Sent&) const = default;
    };
    std::vector<Sent> take_sent() {
        std::vector<Sent> sent;
        for (const auto& letter : box_.letters) {
            std::int32_t value = 0;
            std::ranges::copy(letter.payload, reinterpret_cast<std::byte*>(&value));
            const ItemHeader& header = letter.header;
            const bool is_absent = header.kind == ItemKind::absent;
            EXPECT_EQ(letter.payload.size(), is_absent ? 0 : sizeof value);
            sent.push_back({letter.to, header.piece, header.first, header.last, value,
                            is_absent ? ItemKind::absent : ItemKind::partial});
        }
        box_.letters.clear();
        return sent;
    }

    Postbox box_;
    const std::vector<std::int32_t> own_ = {10, 20, 30, 40};
    std::vector<std::int32_t> into_ = std::vector<std::int32_t>(4);
    std::unique_ptr<Algorithm> algorithm_;
};

TEST_F(RankThree, AddsItsPartToWhatComes) {
    start(LatePartials::to_owner, std::nullopt);
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 2, 0, 0, 30}}));
    accept(1, 0, 0, 1);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 0, 1, 21}}));
    accept(0, 0, 1, 2);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 0, 2, 12}}));
    accept(3, 0, 2, 3);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 3, 0, 3, 43}}));
    EXPECT_EQ(into_[3], 43);
    EXPECT_EQ(box_.gone_ahead, 0u);
    EXPECT_FALSE(algorithm_->is_complete());
    for (const std::uint32_t piece : {2u, 1u, 0u}) {
        accept(piece, 0, 3, 5, ItemKind::result);
    }
    work();
    // The owner of chunk 0 is the next rank, and has it.
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 2, 0, 3, 5}, {0, 1, 0, 3, 5}}));
    EXPECT_TRUE(algorithm_->is_complete());
    EXPECT_EQ(into_, (std::vector<std::int32_t>{5, 5, 5, 43}));
}

TEST_F(RankThree, GoesAheadWhenItsPatienceEnds) {
    Algorithm& bypass = start(LatePartials::to_owner, Seconds(2));
    take_sent();
    EXPECT_EQ(bypass.deadline(), Seconds(2));
    box_.clock = Seconds(1.5);
    work();
    EXPECT_TRUE(take_sent().empty());
    accept(1, 0, 0, 1);
    work();
    take_sent();
    // So long after the one before.
    EXPECT_EQ(bypass.deadline(), Seconds(3.5));
    box_.clock = Seconds(3.5);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 2, 2, 10}}));
    EXPECT_EQ(box_.gone_ahead, 1u);
    EXPECT_EQ(bypass.deadline(), never);
    // What comes later goes to the owner, as it came.
    accept(0, 0, 1, 2);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 0, 1, 2}}));
    EXPECT_EQ(box_.gone_ahead, 1u);
}

TEST_F(RankThree, PassesALatePartialToItsOwnerOrToTheNextRank) {
    for (const LatePartials late : {LatePartials::to_owner, LatePartials::to_successor}) {
        start(late, Seconds(0));
        take_sent();
        work();
        EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 1, 1, 20}, {0, 0, 2, 2, 10}}));
        accept(1, 0, 0, 1);
        work();
        const std::uint32_t to = late == LatePartials::to_owner ? 1 : 0;
        EXPECT_EQ(take_sent(), (std::vector<Sent>{{to, 1, 0, 0, 1}}));
    }
}

// P2 as printed: parts 0 and 1 of chunk 0 may come by themselves.
TEST_F(RankThree, WaitsForAllPartsBeforeItsOwnWhereTheyGoToTheSuccessor) {
    start(LatePartials::to_successor, std::nullopt);
    take_sent();
    accept(0, 1, 1, 1);
    work();
    EXPECT_TRUE(take_sent().empty());
    accept(0, 0, 0, 2);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 0, 2, 13}}));
}

TEST_F(RankThree, SendsThePartsThatHaveComeWhenItGoesAhead) {
    start(LatePartials::to_successor, Seconds(2));
    take_sent();
    accept(0, 1, 1, 1);
    work();
    box_.clock = Seconds(2);
    work();
    EXPECT_EQ(take_sent(),
              (std::vector<Sent>{{0, 1, 1, 1, 20}, {0, 0, 2, 2, 10}, {0, 0, 1, 1, 1}}));
    EXPECT_EQ(box_.gone_ahead, 2u);
}

// The next rank does not wait for what comes so late; the owner of chunk 0 is that rank itself.
TEST_F(RankThree, SendsItsPartPastTheNextRankWhereItIsVeryLate) {
    start(LatePartials::to_owner, Seconds(2));
    take_sent();
    box_.clock = Seconds(4.5);
    work();
    EXPECT_EQ(
        take_sent(),
        (std::vector<Sent>{{1, 1, 1, 1, 20}, {0, 1, 1, 1, 0, ItemKind::absent}, {0, 0, 2, 2, 10}}));
    EXPECT_EQ(box_.gone_ahead, 2u);
}

TEST_F(RankThree, SendsItsPartToTheNextRankWhereThatMayStillWait) {
    for (const auto& [late, clock] : {std::pair(LatePartials::to_owner, Seconds(4)),
                                      std::pair(LatePartials::to_successor, Seconds(9))}) {
        box_.clock = Seconds(0);
        start(late, Seconds(2));
        take_sent();
        box_.clock = clock;
        work();
        EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 1, 1, 20}, {0, 0, 2, 2, 10}}));
    }
}

TEST_F(RankThree, SendsTheSumInWhichItWasLatePastTheNextRank) {
    const std::vector<Sent> part_of_chunk_0 = {{0, 0, 2, 2, 10}};
    for (const auto& [addition, sum] :
         {std::pair(Seconds(4.5),
                    std::vector<Sent>{{1, 1, 0, 1, 21}, {0, 1, 1, 1, 0, ItemKind::absent}}),
          std::pair(Seconds(4), std::vector<Sent>{{0, 1, 0, 1, 21}})}) {
        box_.clock = Seconds(0);
        start(LatePartials::to_owner, Seconds(2));
        take_sent();
        accept(1, 0, 0, 1);
        box_.addition = addition;
        algorithm_->work();
        EXPECT_EQ(take_sent(), sum);
        algorithm_->work();
        EXPECT_EQ(take_sent(), part_of_chunk_0);
    }
}

TEST_F(RankThree, SendsWhatIsOverdueBeforeItAdds) {
    start(LatePartials::to_owner, Seconds(2));
    take_sent();
    accept(3, 0, 2, 1);
    box_.clock = Seconds(2);
    EXPECT_TRUE(algorithm_->work());
    EXPECT_EQ(box_.additions, 0u);
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 1, 1, 20}, {0, 0, 2, 2, 10}}));
    EXPECT_TRUE(algorithm_->work());
    EXPECT_EQ(box_.additions, 1u);
}

// An addition that takes longer than 2 is late.
TEST_F(RankThree, SendsWhatIsOverdueWhileItAddsOnAThread) {
    box_.start_threads(Seconds(5), Seconds(5), 1);
    Algorithm& bypass = start(LatePartials::to_owner, Seconds(2));
    take_sent();
    accept(1, 0, 0, 1);
    work();
    EXPECT_EQ(box_.additions, 1u);
    accept(0, 0, 1, 2);
    work();
    EXPECT_TRUE(take_sent().empty());
    box_.clock = Seconds(2);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 2, 2, 10}, {0, 0, 0, 1, 2}}));
    EXPECT_EQ(bypass.deadline(), never);
    box_.clock = Seconds(5);
    work();
    EXPECT_EQ(take_sent(),
              (std::vector<Sent>{{1, 1, 0, 1, 21}, {0, 1, 1, 1, 0, ItemKind::absent}}));
    EXPECT_EQ(box_.additions, 1u);
    EXPECT_EQ(box_.gone_ahead, 1u);
}

TEST_F(RankThree, PassesSumsOnWhileItAddsOnAThread) {
    box_.start_threads(Seconds(5), Seconds(5), 1);
    start(LatePartials::to_owner, std::nullopt);
    accept(1, 0, 0, 1);
    work();
    take_sent();
    accept(2, 0, 3, 5, ItemKind::result);
    accept(1, 0, 3, 6, ItemKind::result);
    accept(0, 0, 3, 7, ItemKind::result);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 2, 0, 3, 5}, {0, 1, 0, 3, 6}}));
    EXPECT_EQ(into_, std::vector<std::int32_t>(4));
}

TEST_F(RankThree, CompletesItsChunkWhileAnAdditionIsLate) {
    box_.start_threads(Seconds(5), Seconds(5), 1);
    Algorithm& bypass = start(LatePartials::to_owner, std::nullopt);
    accept(1, 0, 0, 1);
    work();
    accept(3, 0, 2, 3);
    accept(0, 0, 1, 2);
    work();
    take_sent();
    EXPECT_EQ(box_.additions, 1u);
    EXPECT_EQ(bypass.deadline(), Seconds(2));
    box_.clock = Seconds(2);
    work();
    EXPECT_EQ(box_.additions, 2u);
    box_.clock = Seconds(5);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 0, 1, 21}}));
    box_.clock = Seconds(7);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 3, 0, 3, 43}}));
    EXPECT_EQ(box_.additions, 3u);
}

// The next part is added to what the late addition writes.
TEST_F(RankThree, AddsNoPartOfItsChunkBesideALateAdditionToIt) {
    box_.start_threads(Seconds(5), Seconds(5), 1);
    start(LatePartials::to_owner, Seconds(0));
    work();
    accept(3, 2, 2, 1);
    work();
    EXPECT_EQ(box_.additions, 1u);
    box_.clock = Seconds(3);
    accept(3, 0, 1, 6);
    work();
    EXPECT_EQ(box_.additions, 1u);
    take_sent();
    box_.clock = Seconds(5);
    work();
    EXPECT_EQ(box_.additions, 2u);
    box_.clock = Seconds(10);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 3, 0, 3, 47}}));
    EXPECT_EQ(into_[3], 47);
}

// Where its own patience never ends as well: nothing else would come of chunk 1.
TEST_F(RankThree, WaitsForNoPartThatGoesPastIt) {
    start(LatePartials::to_owner, std::nullopt);
    take_sent();
    accept_absence(1, 0);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 1, 1, 20}}));
    EXPECT_EQ(box_.gone_ahead, 1u);
    // The next piece is waited for as before.
    accept(0, 0, 1, 2);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 0, 0, 2, 12}}));
}

// The next reduction may take this one's place as soon as it is complete.
TEST_F(RankThree, IsNotCompleteBeforeAnAbsenceThatTheSumHasOvertaken) {
    start(LatePartials::to_owner, Seconds(0));
    work();
    accept(3, 0, 2, 3);
    accept(0, 0, 1, 2);
    for (const std::uint32_t piece : {2u, 1u, 0u}) {
        accept(piece, 0, 3, 5, ItemKind::result);
    }
    work();
    EXPECT_FALSE(algorithm_->is_complete());
    accept_absence(1, 0);
    EXPECT_TRUE(algorithm_->is_complete());
    EXPECT_EQ(box_.gone_ahead, 2u);
}

TEST_F(RankThree, WaitsSoLongAfterAnAbsenceAsWell) {
    Algorithm& bypass = start(LatePartials::to_owner, Seconds(2));
    box_.clock = Seconds(1.5);
    accept_absence(1, 0);
    work();
    EXPECT_EQ(bypass.deadline(), Seconds(3.5));
}

TEST_F(RankThree, WaitsForAllWhereOthersAreUnderWayOrNothingIsLearnt) {
    Algorithm& bypass = start(LatePartials::to_owner, std::nullopt);
    EXPECT_EQ(bypass.deadline(), never);
    box_.clock = Seconds(1e9);
    accept(1, 0, 0, 1);
    EXPECT_EQ(bypass.deadline(), never);
    bypass.disturb();
    EXPECT_EQ(bypass.deadline(), never);
    work();
    EXPECT_EQ(box_.gone_ahead, 0u);
}

// The owner's sum needs each part, however they come.
TEST_F(RankThree, SumsItsOwnChunkFromPartsInAnyOrder) {
    start(LatePartials::to_owner, std::nullopt);
    take_sent();
    accept(3, 2, 2, 1);
    work();
    EXPECT_TRUE(take_sent().empty());
    accept(3, 0, 0, 2);
    accept(3, 1, 1, 4);
    work();
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 3, 0, 3, 47}}));
}

// An addition of its own chunk keeps those waiting that its other additions are for.
TEST_F(RankThree, AddsPartsOfItsOwnChunkTogether) {
    start(LatePartials::to_owner, std::nullopt);
    accept(3, 2, 2, 1);
    work();
    EXPECT_EQ(box_.additions, 0u);
    accept(3, 0, 1, 6);
    work();
    EXPECT_EQ(box_.additions, 1u);
    EXPECT_EQ(into_[3], 47);
}

TEST_F(RankThree, AddsAPartOfItsOwnChunkWhereNothingElseIsToBeDone) {
    start(LatePartials::to_owner, Seconds(0));
    work();
    accept(3, 2, 2, 1);
    work();
    EXPECT_EQ(box_.additions, 1u);
    accept(3, 0, 1, 6);
    work();
    EXPECT_EQ(box_.additions, 2u);
    EXPECT_EQ(into_[3], 47);
}

// The next rank waits for the sum.
TEST_F(RankThree, CopiesASumBeforeItAddsAPartOfItsOwnChunk) {
    start(LatePartials::to_owner, Seconds(0));
    work();
    take_sent();
    accept(3, 2, 2, 1);
    accept(1, 0, 3, 5, ItemKind::result);
    EXPECT_TRUE(algorithm_->work());
    EXPECT_EQ(box_.additions, 0u);
    EXPECT_EQ(take_sent(), (std::vector<Sent>{{0, 1, 0, 3, 5}}));
    EXPECT_TRUE(algorithm_->work());
    EXPECT_EQ(box_.additions, 1u);
}

TEST_F(RankThree, RefusesWhatOtherVectorsSend) {
    constexpr std::uint32_t large = 0xffffffff;
    struct Refused {
        const char* sentence;
        ItemHeader header;
        std::size_t bytes = 4;
    };
    const Refused refused[] = {
        {"a piece too many", {.piece = 4}},
        {"a piece far beyond", {.piece = large}},
        {"too short", {.piece = 1}, 0},
        {"too long", {.piece = 1}, 8},
        {"the last part before the first", {.piece = 0, .first = 1, .last = 0}},
        {"a part too many", {.piece = 3, .last = 4}},
        {"a part far beyond", {.piece = 3, .first = large, .last = large}},
        {"this rank's own part", {.piece = 1, .last = 1}},
        {"a part of a rank after this one", {.piece = 1, .last = 2}},
        {"the owner's own part", {.piece = 3, .last = 3}},
        {"a chunk that no rank sends to this one", {.piece = 2}},
        {"a sum too long", {.piece = 1, .last = 3, .kind = ItemKind::result}, 8},
        {"an absence with elements", {.piece = 1, .kind = ItemKind::absent}},
        {"an absence from its own chunk", {.piece = 3, .kind = ItemKind::absent}, 0},
        {"an absence of this rank's part", {.piece = 1, .last = 1, .kind = ItemKind::absent}, 0},
    };
    const std::vector<std::byte> payload(8);
    for (const Refused& test : refused) {
        start(LatePartials::to_owner, std::nullopt);
        EXPECT_THROW(algorithm_->accept(arrived(test.header, std::span(payload).first(test.bytes))),
                     std::runtime_error)
            << test.sentence;
    }
}

// Each rank's part leaves it once, and goes to the rank after where partials do.
TEST_F(RankThree, RefusesASecondPartAndAnAbsenceThatNoRankSends) {
    start(LatePartials::to_owner, std::nullopt);
    accept(1, 0, 0, 1);
    EXPECT_THROW(accept(1, 0, 0, 1), std::runtime_error);
    EXPECT_THROW(accept_absence(1, 0), std::runtime_error);
    start(LatePartials::to_successor, std::nullopt);
    EXPECT_THROW(accept_absence(1, 0), std::runtime_error);
}

}  // namespace
}  // namespace hora::mpi
