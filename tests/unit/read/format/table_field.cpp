// Is a field taken as a number only where it is one, whole and within its bounds?
#include "libplanner/read/format/table_field.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace hora::read {
namespace {

// A row below the heading whose second field is the one that is asked for.
TableText table_with(const std::string& text) {
    auto table = TableText::open(text, ',');
    EXPECT_TRUE(table && table->next().value_or(false)) << text;
    return *table;
}

struct Case {
    const char* field;
    std::optional<double> seconds;  // empty: refused
    std::optional<double> bytes;
    std::optional<double> count;
};

constexpr double least = 0.5;
constexpr std::uint32_t most = 64;
const Case cases[] = {
    {"1", 1, 1, 1},
    {"64", 64, 64, 64},
    {"65", 65, 65, {}},
    {"0", {}, 0, {}},
    {"0.5", 0.5, 0.5, {}},
    {"0.4999", {}, 0.4999, {}},
    {"2.5e3", 2500, 2500, {}},
    {"1e11", 1e11, 1e11, {}},
    {"1.1e11", {}, 1.1e11, {}},
    {"1e15", {}, 1e15, {}},
    {"1.1e15", {}, {}, {}},
    {"-1", {}, {}, {}},
    {"7 s", {}, {}, {}},
    {"nan", {}, {}, {}},
    {"inf", {}, {}, {}},
    {"1e999", {}, {}, {}},
    {"", {}, {}, {}},
    {"0x10", {}, {}, {}},
};

TEST(TableField, IsANumberOfItsKindOrRefused) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.field);
        const std::string text = std::string("job,value\n7,") + row.field;
        const TableText table = table_with(text);
        const auto seconds = seconds_field(table, 1, Seconds(least));
        EXPECT_EQ(seconds ? std::optional(seconds->count()) : std::nullopt, row.seconds);
        const auto bytes = bytes_field(table, 1);
        EXPECT_EQ(bytes ? std::optional(bytes->count()) : std::nullopt, row.bytes);
        const auto count = count_field(table, 1, most);
        EXPECT_EQ(count ? std::optional<double>(*count) : std::nullopt, row.count);
    }
}

TEST(TableField, SaysWhereItIsWrongAndWhatIsWanted) {
    const std::string text = "job,value\n\n7,soon";
    const TableText table = table_with(text);
    EXPECT_EQ(seconds_field(table, 1, Seconds(least)).error().message,
              "line 3: value \"soon\" is no time; give seconds, at least 0.5");
    EXPECT_EQ(bytes_field(table, 1).error().message,
              "line 3: value \"soon\" is no size; give bytes, or 0 where it is not known");
    const auto count = count_field(table, 1, most);
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().message.find("line 3: value "), 0U) << count.error().message;
    EXPECT_NE(count.error().message.find("64"), std::string::npos) << count.error().message;
}

}  // namespace
}  // namespace hora::read
