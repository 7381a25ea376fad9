// Is a picture XML whatever its texts are?
#include "libplanner/report/svg/svg_canvas.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/report/svg/drawn.hpp"

namespace hora::report {
namespace {

constexpr TextLook plain{.size = 12};

TEST(SvgCanvas, AnEmptyOneIsAWholeDocument) {
    const SvgCanvas canvas;
    const Drawn drawn(canvas);
    EXPECT_STREQ(drawn.root().child_value("title"), "title");
    EXPECT_STREQ(drawn.root().child_value("desc"), "description");
    EXPECT_STREQ(drawn.root().attribute("viewBox").value(), "0 0 600 400");
    EXPECT_TRUE(drawn.root().child("rect")) << "its background";
}

TEST(SvgCanvas, UntrustedTextsStayTexts) {
    const struct {
        const char* sentence;
        std::string text;
        std::string shown;
    } cases[] = {
        {"a tag", "</text><script>x</script>", "</text><script>x</script>"},
        {"an entity", "&lt; &#0; &", "&lt; &#0; &"},
        {"quotes", "\"a\" 'b'", "\"a\" 'b'"},
        {"the end of a section", "]]>", "]]>"},
        {"a zero", std::string("a\0b", 3), "a b"},
        {"an escape", "\x1b[2J", " [2J"},
        {"half a character", "a\xe6\x97", "a\xef\xbf\xbd\xef\xbf\xbd"},
        {"a turn of the direction",
         "a\xe2\x80\xae"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"another script", "日本", "日本"},
        {"nothing", "", ""},
    };
    for (const auto& row : cases) {
        SvgCanvas canvas;
        canvas.open_group("gpu", row.text);
        canvas.add_text(0, 0, row.text, 10'000, plain);
        canvas.close_group();
        const Drawn drawn(canvas);
        ASSERT_EQ(drawn.groups("gpu").size(), 1U) << row.sentence;
        EXPECT_EQ(drawn.titles("gpu").front(), row.shown) << row.sentence;
        EXPECT_EQ(Drawn::texts(drawn.groups("gpu").front()).front(), row.shown) << row.sentence;
    }
}

TEST(SvgCanvas, ATextIsCutToItsRoomAndABoldOneEarlier) {
    const std::string text(10'000, 'n');
    const auto shown = [&](double room, bool is_bold) {
        SvgCanvas canvas;
        canvas.add_text(0, 0, text, room, {.size = 12, .is_bold = is_bold});
        return Drawn::texts(Drawn(canvas).root()).front();
    };
    EXPECT_TRUE(shown(100, false).ends_with("…"));
    EXPECT_LT(shown(100, true).size(), shown(100, false).size());
    EXPECT_EQ(shown(0, false), "…");
    EXPECT_EQ(shown(-50, false), "…");
}

TEST(SvgCanvas, LengthsAreTenthsAndNeverNegativeZero) {
    SvgCanvas canvas;
    canvas.add_box({-0.04, 1.25, 1e6, 0}, {"#fff", "#000", 2});
    const Drawn drawn(canvas);
    const pugi::xml_node box = drawn.root().last_child();
    EXPECT_STREQ(box.attribute("x").value(), "0");
    EXPECT_STREQ(box.attribute("y").value(), "1.3");
    EXPECT_STREQ(box.attribute("width").value(), "1000000");
}

TEST(SvgCanvas, APathTurnsWhereThereIsRoom) {
    EXPECT_EQ(vertical_path(1, 2, 3), "M1 2V3");
    EXPECT_EQ(bracket_path(0, 100, 0, 20), "M0 0V14Q0 20 6 20H94Q100 20 100 14V0");
    EXPECT_EQ(bracket_path(0, 100, 20, 0), "M0 20V6Q0 0 6 0H94Q100 0 100 6V20") << "upwards";
    EXPECT_EQ(bracket_path(0, 4, 0, 20), "M0 0V18Q0 20 2 20H2Q4 20 4 18V0") << "a narrow one";
    EXPECT_EQ(bracket_path(0, 100, 5, 5), "M0 5V5Q0 5 0 5H100Q100 5 100 5V5") << "a flat one";
}

}  // namespace
}  // namespace hora::report
