// Does a text fit into its room in an SVG picture?
#include "libplanner/report/svg/svg_text.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

RC_GTEST_PROP(SvgText, IsCutToItsRoom, (const std::string& text)) {
    const double room = *rc::gen::inRange(20, 300);
    RC_ASSERT(width_of(shortened(characters_of(text), room, 12), 12) <= room);
}

TEST(SvgText, LeavesWhatFits) {
    EXPECT_EQ(xml_of(shortened(U"GPU 0", 100, 12)), "GPU 0");
    EXPECT_EQ(xml_of(shortened(U"GPU 0123456789", 40, 12)), "GPU…");
}

}  // namespace
}  // namespace hora::report
