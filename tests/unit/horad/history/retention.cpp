// Is what is old forgotten, and no more than that where the clock is wrong?
#include "scripts/horad/history/retention.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

constexpr std::int64_t day = 86400;
constexpr Seconds keep(100 * day);
constexpr std::int64_t start = 20'000 * day;

TEST(Retention, forgets_by_the_clock_while_that_goes_as_clocks_do) {
    Retention retention;
    for (std::int64_t passed = 0; passed < 30 * day; passed += 600) {
        const std::int64_t now = start + passed;
        EXPECT_EQ(
            retention.oldest(now, keep, now - 101 * day, Seconds(static_cast<double>(passed))),
            now - 100 * day);
    }
}

TEST(Retention, a_clock_that_jumps_ahead_empties_no_history) {
    Retention retention;
    const std::int64_t first = start - 99 * day;
    EXPECT_EQ(retention.oldest(start, keep, first, Seconds(0)), start - 100 * day);
    // Ten minutes later it is ten years later, for an hour.
    std::int64_t reached = 0;
    for (std::int64_t passed = 600; passed <= 4200; passed += 600) {
        reached = retention.oldest(start + 3650 * day + passed, keep, first,
                                   Seconds(static_cast<double>(passed)));
    }
    EXPECT_LE(reached, start - 100 * day + 10 * 4200);
    // Set right it goes on as if nothing had been.
    EXPECT_EQ(retention.oldest(start + 4800, keep, first, Seconds(4800)), start + 4800 - 100 * day);
}

TEST(Retention, a_daemon_that_starts_by_a_wrong_clock_forgets_little) {
    Retention retention;
    EXPECT_EQ(retention.oldest(start + 3650 * day, keep, start - 99 * day, Seconds(0)),
              start - 89 * day);
}

TEST(Retention, a_row_by_a_clock_of_1970_holds_up_nothing) {
    Retention retention;
    EXPECT_LE(retention.oldest(start, keep, 0, Seconds(0)), 10 * day);
    EXPECT_EQ(retention.oldest(start + 60, keep, start - 50 * day, Seconds(60)),
              start + 60 - 100 * day);
}

TEST(Retention, few_rows_are_not_forgotten_faster) {
    Retention retention;
    std::int64_t first = start - 99 * day;
    for (std::int64_t passed = 0; passed <= 36'000; passed += 600) {
        const std::int64_t reached = retention.oldest(start + 3650 * day + passed, keep, first,
                                                      Seconds(static_cast<double>(passed)));
        EXPECT_LE(reached, start - 89 * day + 10 * passed);
        first = std::max(first, reached + day);  // one row a day
    }
}

TEST(Retention, a_clock_that_is_set_back_forgets_nothing_until_it_is_there_again) {
    Retention retention;
    const std::int64_t first = start - 99 * day;
    retention.oldest(start, keep, first, Seconds(0));
    EXPECT_EQ(retention.oldest(start - day, keep, first, Seconds(600)), start - 101 * day);
    EXPECT_LE(retention.oldest(start, keep, first, Seconds(1200)), start - 100 * day);
    EXPECT_EQ(retention.oldest(start + day, keep, first, Seconds(day)), start - 99 * day);
}

TEST(Retention, catches_up_where_less_is_to_be_kept) {
    Retention retention;
    const std::int64_t first = start - 99 * day;
    retention.oldest(start, keep, first, Seconds(0));
    const Seconds less(10 * day);
    EXPECT_LT(retention.oldest(start + day, less, first, Seconds(day)), start - 9 * day);
    EXPECT_EQ(retention.oldest(start + 12 * day, less, first, Seconds(12 * day)), start + 2 * day);
}

TEST(Retention, waits_for_the_first_row) {
    Retention retention;
    EXPECT_EQ(retention.oldest(start, keep, std::nullopt, Seconds(0)), start - 100 * day);
    EXPECT_EQ(retention.oldest(start + 3650 * day, keep, start, Seconds(600)), start + 10 * day);
}

}  // namespace
}  // namespace hora::horad
