// Does a page's frame hold any text that others wrote, and each cell in its place?
#include "libplanner/report/html/page_frame.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace hora::report {
namespace {

TEST(PageFrame, NamesEachRowByItsFirstCell) {
    EXPECT_EQ(html_table("<a> \"b\"", {"One", "<"}, {{"x", "&"}, {}}),
              "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
              "aria-label=\"&lt;a&gt; &quot;b&quot;\">\n<table>\n"
              "<caption>&lt;a&gt; &quot;b&quot;</caption>\n<thead>\n"
              "<tr><th scope=\"col\">One</th><th scope=\"col\">&lt;</th></tr>\n</thead>\n<tbody>\n"
              "<tr><th scope=\"row\">x</th><td>&amp;</td></tr>\n<tr></tr>\n"
              "</tbody>\n</table>\n</div>\n");
}

TEST(PageFrame, TellsSentencesFromFiguresByTheirLetters) {
    const struct {
        const char* sentence;
        std::string cell;
        bool is_sentence;
    } cases[] = {
        {"a figure", "24 h 59 min", false},
        {"as long as one may be", std::string(24, 'x'), false},
        {"longer", std::string(25, 'x'), true},
        {"of two bytes a letter", "ééééééééééééé", false},
        {"of three", "日本語日本語日本語", false},
        {"a sentence of them", "日本語日本語日本語日本語日本語日本語日本語日本語日本語", true},
    };
    for (const auto& row : cases) {
        const std::string table = html_table("", {}, {{"name", row.cell}});
        EXPECT_EQ(table.find("<td class=\"sentence\">" + row.cell + "</td>") != std::string::npos,
                  row.is_sentence)
            << row.sentence << ": " << table;
    }
    const std::string long_name(30, 'n');
    EXPECT_NE(html_table("", {}, {{long_name}}).find("<th scope=\"row\">" + long_name + "</th>"),
              std::string::npos);
}

// Only the page itself ends its elements.
RC_GTEST_PROP(PageFrame, EndsNoElementByDataOrTitle, (const std::string& text)) {
    const std::string plain = framed("", "", "", "", "");
    const std::string page = framed(text + "</title>", "", text + "</script>", "", "");
    const auto count = [](const std::string& where, const std::string& what) {
        std::size_t found = 0;
        for (std::size_t at = where.find(what); at != std::string::npos;
             at = where.find(what, at + 1)) {
            ++found;
        }
        return found;
    };
    for (const char* const tag : {"</script", "</title", "<script", "<title"}) {
        RC_ASSERT(count(page, tag) == count(plain, tag));
    }
}

}  // namespace
}  // namespace hora::report
