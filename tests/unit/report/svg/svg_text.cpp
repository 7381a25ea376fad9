// Does a text fit into its room in an SVG picture?
#include "libplanner/report/svg/svg_text.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include <rapidcheck/gtest.h>

#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

RC_GTEST_PROP(SvgText, IsCutToItsRoom, (const std::string& text)) {
    const double room = *rc::gen::inRange(20, 300);
    RC_ASSERT(width_of(shortened(characters_of(text), room, 12), 12) <= room);
}

// Advances of DejaVu Sans and of its bold letters from the space to the tilde, in thousandths of
// the font's size.
constexpr int plain_advances[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr int bold_advances[] = {
    348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
    1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
    733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
    500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
    716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838};

TEST(SvgText, IsNoWiderThanIsReckoned) {
    constexpr double bold_is_wider = 1.1;
    for (std::size_t i = 0; i < std::size(plain_advances); ++i) {
        const std::u32string letter(1, static_cast<char32_t>(U' ' + i));
        const double width = width_of(letter, 1000);
        EXPECT_GE(width, plain_advances[i]) << static_cast<char>(letter[0]);
        EXPECT_GE(width * bold_is_wider, bold_advances[i]) << static_cast<char>(letter[0]);
        EXPECT_LE(width, plain_advances[i] + 200) << static_cast<char>(letter[0]);
    }
}

TEST(SvgText, OfAVeryLongTextIsCutAtOnce) {
    EXPECT_EQ(shortened(std::u32string(1'000'000, U'n'), 40, 10).size(), 5U);
}

TEST(SvgText, LeavesWhatFits) {
    EXPECT_EQ(xml_of(shortened(U"GPU 0", 100, 12)), "GPU 0");
    EXPECT_EQ(xml_of(shortened(U"GPU 0123456789", 40, 12)), "GPU…");
}

}  // namespace
}  // namespace hora::report
