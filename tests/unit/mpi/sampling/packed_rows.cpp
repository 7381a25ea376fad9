// Is no gradient lost, and none counted twice?
#include "plugins/mpi/sampling/packed_rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "plugins/mpi/sampling/row_choice.hpp"

namespace hora::mpi {
namespace {

TEST(PackedRows, MoveAndAreAdded) {
    std::vector<float> table = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::array<std::uint32_t, 2> rows = {0, 3};
    const TableRows which{.width = 2, .rows = rows};
    std::vector<float> packed(4);
    take_rows(table, which, packed);
    EXPECT_EQ(packed, (std::vector<float>{1, 2, 7, 8}));
    EXPECT_EQ(table, (std::vector<float>{0, 0, 3, 4, 5, 6, 0, 0}));
    add_rows(table, which, packed, -2);
    EXPECT_EQ(table, (std::vector<float>{-2, -4, 3, 4, 5, 6, -14, -16}));
}

// Whole numbers, which floats add without error: after as many steps as the last row waits, all
// that was learned has arrived.
TEST(PackedRows, WhatIsKeptArrivesInItsTurn) {
    constexpr std::uint32_t rows = 50;
    constexpr std::size_t width = 3;
    const RowChoice choice(rows, {.frequent = 3, .random = 5}, 11);
    std::vector<float> kept(rows * width);
    std::vector<float> arrived(rows * width);
    std::vector<float> learned(rows * width);
    const auto exchange = [&](std::uint64_t step) {
        const auto chosen = choice.choose(step, WordSet(rows));
        std::vector<float> packed(chosen.size() * width);
        take_rows(kept, {.width = width, .rows = chosen}, packed);
        add_rows(arrived, {.width = width, .rows = chosen}, packed, 1);
    };
    std::uint64_t step = 0;
    for (; step < 40; ++step) {
        for (std::size_t i = 0; i < learned.size(); ++i) {
            const auto gradient = static_cast<float>((step * 7 + i) % 5);
            kept[i] += gradient;
            learned[i] += gradient;
        }
        exchange(step);
    }
    EXPECT_NE(arrived, learned);
    constexpr std::uint64_t turns = 10;  // steps for 47 rows that are not frequent
    for (const std::uint64_t end = step + 2 * turns; step < end; ++step) {
        exchange(step);
    }
    EXPECT_EQ(arrived, learned);
    EXPECT_EQ(kept, std::vector<float>(rows * width));
}

}  // namespace
}  // namespace hora::mpi
