#include "libplanner/read/xml_tags.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::read {
namespace {

// "<a k=v|" where a tag opens, "a>" where it closes, one after the other; an error as its message.
std::string all_tags(std::string_view text) {
    XmlTags tags(text);
    std::string result;
    for (;;) {
        const auto tag = tags.next();
        if (!tag) {
            return tag.error().message;
        }
        if (!*tag) {
            return result;
        }
        result += (*tag)->opens ? "<" : "";
        result += (*tag)->name;
        for (const auto& [key, value] : (*tag)->attributes) {
            result += " " + std::string(key) + "=" + value;
        }
        result += (*tag)->closes ? ">" : "|";
    }
}

struct Case {
    const char* sentence;
    const char* text;
    const char* tags;
};

const Case cases[] = {
    {"one tag", "<a/>", "<a>"},
    {"tags nest", "<a><b/><b></b></a>", "<a|<b><b|b>a>"},
    {"prolog, comments, declarations and text are passed over",
     "<?xml version='1.0'?>\n<!DOCTYPE a>\n<!-- <b> --><a>text<!--x--></a>\n", "<a|a>"},
    {"attributes have either quote and blanks around", "<a k = \"1\" l='\"2'\n m=\"\"/>",
     "<a k=1 l=\"2 m=>"},
    {"entities are resolved", "<a k=\"&lt;&amp;&gt;&quot;&apos;&x;\"/>", "<a k=<&>\"'&x;>"},
    {"no tag at all", "text", "line 1: there is no tag"},
    {"nothing at all", "", "line 1: there is no tag"},
    {"a tag that stays open", "<a>\n<b/>\n", "line 2: tag \"a\" is never closed"},
    {"tags that cross", "<a><b></a>", "line 1: tag \"a\" ends where \"b\" is open"},
    {"an end without a start", "</a>", "line 1: tag \"a\" ends where none is open"},
    {"two outermost tags", "<a/>\n<b/>", "line 2: there is something behind the outermost tag"},
    {"a comment without end", "<a><!-- ", "line 1: a comment has no end"},
    {"a value without quotes", "<a k=1/>", "line 1: attribute \"k\" has no value in quotes"},
    {"a value that never ends", "<a k=\"1/>", "line 1: attribute \"k\" has no value in quotes"},
    {"a word that is no attribute", "<a k/>",
     "line 1: tag \"a\" has something that is no attribute"},
    {"a text that ends inside a tag", "<a k=\"1\" ", "line 1: tag \"a\" has no end"},
    {"a text that ends inside a name", "<a k", "line 1: tag \"a\" has no end"},
    {"a tag without a name", "< a/>", "line 1: a tag has no name"},
};

TEST(XmlTags, ReadsTagsAndSaysWhatIsWrong) {
    for (const Case& test : cases) {
        EXPECT_EQ(all_tags(test.text), test.tags) << test.sentence;
    }
}

TEST(XmlTags, BoundsDepthAndAttributes) {
    std::string deep;
    for (int i = 0; i < 65; ++i) {
        deep += "<a>";
    }
    EXPECT_EQ(all_tags(deep), "line 1: tags nest more than 64 deep");
    std::string wide = "<a";
    for (int i = 0; i < 65; ++i) {
        wide += " k=\"\"";
    }
    EXPECT_EQ(all_tags(wide), "line 1: tag \"a\" has more than 64 attributes");
}

TEST(XmlTags, AnyTextEnds) {
    rc::check([](const std::string& text) { all_tags("<a " + text + "><b " + text); });
}

}  // namespace
}  // namespace hora::read
