// Are the rows of a table told apart, and what is wrong with them said by line?
#include "libplanner/read/format/table_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hora::read {
namespace {

struct Case {
    const char* name;
    const char* text;
    char delimiter;
    const char* wanted;  // line:first/second for each row, then what went wrong
};

std::string rows_of(std::string_view text, char delimiter) {
    auto table = TableText::open(text, delimiter);
    if (!table) {
        return table.error().message;
    }
    std::string rows;
    while (true) {
        const auto has_row = table->next();
        if (!has_row) {
            return rows + has_row.error().message;
        }
        if (!*has_row) {
            return rows;
        }
        rows += std::to_string(table->line()) + ":" + std::string(table->field(0)) + "/" +
                std::string(table->field(1)) + " ";
    }
}

TEST(TableText, HasARowForEachLineThatIsNotBlank) {
    const Case cases[] = {
        {"commas", "a,b\n1,2\n3,4\n", ',', "2:1/2 3:3/4 "},
        {"bars, and commas within", "a|b\n1,5|2\n", '|', "2:1,5/2 "},
        {"the last line may lack its end", "a,b\n1,2", ',', "2:1/2 "},
        {"blank lines count and are passed over", "\na,b\n\n1,2\n \n", ',', "4:1/2 "},
        {"a file from Windows",
         "\xef\xbb\xbf"
         "a,b\r\n1,2\r\n",
         ',', "2:1/2 "},
        {"blanks around fields", "a , b\n 1 ,\t2\n", ',', "2:1/2 "},
        {"empty fields", "a,b\n,\n", ',', "2:/ "},
        {"a row that is short", "a,b\n1,2\n3\n", ',',
         "2:1/2 line 3: has 1 fields, but line 1 names 2 columns"},
        {"a row that is long", "a,b\n1,2,3\n", ',',
         "line 2: has 3 fields, but line 1 names 2 columns"},
        {"a column twice", "a,b,A\n1,2,3\n", ',', "line 1: names the column \"A\" twice"},
        {"a column twice that is not plain", "a\x1b[2J,b,a\x1b[2J\n1,2,3\n", ',',
         "line 1: names the column \"a?[2J\" twice"},
        {"columns without a name", "a,b,,\n1,2,3,4\n", ',', "2:1/2 "},
        {"nothing at all", "", ',', "is empty; its first line has to name the columns"},
        {"only blanks", " \n\t\n", ',', "is empty; its first line has to name the columns"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(rows_of(each.text, each.delimiter), each.wanted);
    }
}

TEST(TableText, FindsColumnsByAnyOfTheirNamesInAnyCase) {
    const auto table = TableText::open("App,batch_size\n", ',');
    constexpr std::string_view application[] = {"application", "app"};
    constexpr std::string_view gpus[] = {"gpus"};
    EXPECT_EQ(table->find(application), 0);
    EXPECT_EQ(table->find(gpus), std::nullopt);
    EXPECT_EQ(table->need(gpus).error().message,
              "line 1: has no column gpus; it has \"App\", \"batch_size\"");
}

TEST(TableText, ShowsNothingOfAHeaderThatATerminalWouldObey) {
    constexpr std::string_view gpus[] = {"gpus"};
    const auto table = TableText::open("a\x1b[2J\n", ',');
    EXPECT_EQ(table->need(gpus).error().message, "line 1: has no column gpus; it has \"a?[2J\"");
}

}  // namespace
}  // namespace hora::read
