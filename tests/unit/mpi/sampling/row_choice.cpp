// Do all rows get their turn, and the words of a step always?
#include "plugins/mpi/sampling/row_choice.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/any_number.hpp"

namespace hora::mpi {
namespace {

using testing::any_number;

TEST(WordSet, HasWhatWasAdded) {
    WordSet set(130);
    for (const std::uint32_t word : {129U, 0U, 64U, 63U, 64U}) {
        set.add(word);
    }
    EXPECT_EQ(set.words(), (std::vector<std::uint32_t>{0, 63, 64, 129}));
    EXPECT_EQ(set.blocks().size(), 3U);
    EXPECT_TRUE(WordSet(130).words().empty());
}

struct Table {
    std::uint32_t rows = 0;
    domain::RowShares shares{};
    std::uint64_t seed = 0;

    RowChoice choice() const { return {rows, shares, seed}; }
    // Steps in which each row that is not frequent has its turn once.
    std::uint64_t turns() const {
        return (rows - shares.frequent + shares.random - 1) / shares.random;
    }
};

Table any_table() {
    Table table{.rows = any_number(1U, 300U)};
    table.shares.frequent = any_number(0U, table.rows + 1);
    table.shares.random = any_number(0U, table.rows - table.shares.frequent + 1);
    table.seed = *rc::gen::arbitrary<std::uint64_t>();
    return table;
}

RC_GTEST_PROP(RowChoice, IsWordsAndFrequentRowsAndAsManyRandomOnes, ()) {
    const Table table = any_table();
    const auto step = any_number<std::uint64_t>(0, 1'000'000);
    WordSet words(table.rows);
    std::set<std::uint32_t> known;
    for (auto count = any_number(0U, 20U); count > 0; --count) {
        const auto word = any_number(0U, table.rows);
        words.add(word);
        known.insert(word);
    }
    for (std::uint32_t row = 0; row < table.shares.frequent; ++row) {
        known.insert(row);
    }
    const auto chosen = table.choice().choose(step, words);
    RC_ASSERT(std::ranges::is_sorted(chosen));
    RC_ASSERT(std::ranges::adjacent_find(chosen) == chosen.end());
    RC_ASSERT((chosen.empty() || chosen.back() < table.rows));
    RC_ASSERT(std::ranges::includes(chosen, known));
    RC_ASSERT(chosen.size() <= known.size() + table.shares.random);
    RC_ASSERT(chosen == table.choice().choose(step, words));
}

RC_GTEST_PROP(RowChoice, GivesEachRowItsTurn, ()) {
    const Table table = any_table();
    RC_PRE(table.shares.random > 0U);
    const auto first = any_number<std::uint64_t>(0, 1'000'000);
    const RowChoice choice = table.choice();
    WordSet had(table.rows);
    for (std::uint64_t step = first; step < first + 2 * table.turns(); ++step) {
        for (const std::uint32_t row : choice.choose(step, WordSet(table.rows))) {
            had.add(row);
        }
    }
    RC_ASSERT(had.words().size() == table.rows);
}

// What makes the gradient that is sent an unbiased part of the whole.
TEST(RowChoice, GivesEachRowAsManyTurns) {
    constexpr std::uint32_t rows = 101;
    constexpr domain::RowShares shares{.frequent = 1, .random = 10};
    const RowChoice choice(rows, shares, 7);
    std::vector<int> turns(rows);
    constexpr int rounds = 50;
    constexpr int steps_of_a_round = 10;  // for 100 rows that are not frequent
    for (std::uint64_t step = 0; step < steps_of_a_round * rounds; ++step) {
        for (const std::uint32_t row : choice.choose(step, WordSet(rows))) {
            ++turns[row];
        }
    }
    EXPECT_EQ(turns[0], 10 * rounds);
    for (std::uint32_t row = 1; row < rows; ++row) {
        EXPECT_EQ(turns[row], rounds) << row;
    }
}

TEST(RowChoice, OrdersRowsAnewEachTime) {
    constexpr std::uint32_t rows = 1'000;
    const RowChoice one(rows, {.frequent = 0, .random = 100}, 1);
    const RowChoice other(rows, {.frequent = 0, .random = 100}, 2);
    const WordSet none(rows);
    EXPECT_NE(one.choose(0, none), other.choose(0, none)) << "seeds";
    EXPECT_NE(one.choose(0, none), one.choose(10, none)) << "rounds";
    EXPECT_NE(one.choose(0, none), one.choose(1, none)) << "steps";
}

}  // namespace
}  // namespace hora::mpi
