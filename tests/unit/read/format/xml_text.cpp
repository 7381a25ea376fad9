#include "libplanner/read/format/xml_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace hora::read {
namespace {

// "1 a(2 b k=v)": the lines, names, attributes and insides of elements.
std::string outline(const XmlText& xml, const pugi::xml_node& element) {
    std::string text = std::to_string(xml.line_of(element)) + " " + element.name();
    for (const auto& attribute : element.attributes()) {
        text += std::string(" ") + attribute.name() + "=" + attribute.value();
    }
    for (const auto& inside : element.children()) {
        text += "(" + outline(xml, inside) + ")";
    }
    return text;
}

std::string outline(const std::string& text) {
    const auto xml = XmlText::parse(text);
    return xml ? outline(*xml, xml->root()) : xml.error().message;
}

struct Case {
    const char* sentence;
    const char* text;
    const char* outline;
};

const Case cases[] = {
    {"one element", "<a/>", "1 a"},
    {"elements nest, each in its line", "<a>\n <b/>\n\n <b>\n  <c/></b></a>", "1 a(2 b)(4 b(5 c))"},
    {"prolog, comments, declarations and blanks are passed over",
     "<?xml version='1.0'?>\n<!DOCTYPE a>\n<!-- <b> --><a> <!--x--></a>\n", "3 a"},
    {"entities are resolved", "<a k=\"&lt;&amp;&gt;&quot;&apos;&x;\"/>", "1 a k=<&>\"'&x;"},
    {"nothing at all", "", "line 1: is no XML: No document element found"},
    {"no element at all", "text\n", "line 1: is no XML: No document element found"},
    {"an element that stays open", "<a>\n<b/>\n", "line 2: is no XML: Start-end tags mismatch"},
    {"elements that cross", "<a>\n<b></a>", "line 2: is no XML: Start-end tags mismatch"},
    {"two outermost elements", "<a/>\n<b/>",
     "line 2: is no XML: there is something behind the outermost element"},
    {"a comment without end", "<a><!-- ", "line 1: is no XML: Error parsing comment"},
    {"a value without quotes", "<a\nk=1/>", "line 2: is no XML: Error parsing element attribute"},
};

TEST(XmlText, KnowsElementsAndLinesAndSaysWhatIsWrong) {
    for (const Case& test : cases) {
        EXPECT_EQ(outline(test.text), test.outline) << test.sentence;
    }
}

std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) {
        text += "<a>";
    }
    for (std::size_t i = 0; i < depth; ++i) {
        text += "</a>";
    }
    return text;
}

TEST(XmlText, BoundsDepthAndSize) {
    EXPECT_TRUE(XmlText::parse(nested(XmlText::most_depth)));
    EXPECT_EQ(outline(nested(XmlText::most_depth + 1)),
              "line 1: is no XML: elements nest more than 64 deep");
    EXPECT_EQ(outline(std::string(XmlText::most_bytes + 1, ' ')), "is larger than 4194304 bytes");
}

TEST(XmlText, AnyTextEnds) {
    EXPECT_TRUE(rc::check([](const std::string& text) { outline("<a " + text + "><b " + text); }));
}

}  // namespace
}  // namespace hora::read
