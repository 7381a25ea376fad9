// Is what hwloc's objects say taken for what it is, and nothing else?
#include "libplanner/read/machine/hwloc_object.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::read {
namespace {

TEST(HwlocObject, NumbersAreWholeTexts) {
    struct Case {
        const char* sentence;
        const char* text;
        std::uint32_t number;
    };
    const Case cases[] = {
        {"a model", "85", 85},
        {"none", "0", 0},
        {"the largest", "65535", 65535},
        {"larger than any", "65536", domain::not_known},
        {"than 32 bits", "4294967297", domain::not_known},
        {"negative", "-1", domain::not_known},
        {"with something behind it", "85 (Skylake)", domain::not_known},
        {"as ARM writes its parts", "0xd0c", domain::not_known},
        {"a fraction", "8.5", domain::not_known},
        {"nothing", "", domain::not_known},
    };
    for (const Case& row : cases) {
        EXPECT_EQ(number_of(row.text), row.number) << row.sentence;
    }
}

TEST(HwlocObject, TextsArePrintableAndShort) {
    EXPECT_EQ(printable(nullptr), "");
    EXPECT_EQ(printable("Xeon ~ 2"), "Xeon ~ 2");
    EXPECT_EQ(printable("a\n\x1b[1m\xc3\xa9"), "a??[1m??");
    EXPECT_EQ(printable(std::string(100, 'x').c_str()), std::string(64, 'x'));
    EXPECT_EQ(info_of(nullptr, "CPUModel"), "");
}

TEST(HwlocObject, MembersAreThoseOfTheSetUpToABound) {
    struct Case {
        const char* sentence;
        const char* list;  // as hwloc writes it
        std::vector<std::uint32_t> members;
    };
    const Case cases[] = {
        {"none", "", {}},
        {"some", "0,3-5,64", {0, 3, 4, 5, 64}},
        {"the last", "65535", {65535}},
        {"one beyond", "7,65536", {7}},
        {"a set without end is cut", "65534-", {65534, 65535}},
    };
    for (const Case& row : cases) {
        const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> set(hwloc_bitmap_alloc(),
                                                                            hwloc_bitmap_free);
        ASSERT_EQ(hwloc_bitmap_list_sscanf(set.get(), row.list), 0);
        EXPECT_EQ(members_of(set.get()), row.members) << row.sentence;
        EXPECT_EQ(is_filled(set.get()), !row.members.empty()) << row.sentence;
    }
    EXPECT_TRUE(members_of(nullptr).empty());
    EXPECT_FALSE(is_filled(nullptr));
}

}  // namespace
}  // namespace hora::read
