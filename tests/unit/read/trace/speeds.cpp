#include "libplanner/read/trace/speeds.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

TEST(Speeds, AreReadByType) {
    const auto speeds = read_speeds("titanx:1.9,gtx970:1").value();
    ASSERT_EQ(speeds.size(), 2U);
    EXPECT_EQ(speeds[0].type, "titanx");
    EXPECT_EQ(speeds[0].speed, 1.9);
    EXPECT_EQ(speeds[1].type, "gtx970");
}

TEST(Speeds, AreRefusedWithTheItemThatIsWrong) {
    for (const char* item : {"", "a", "a:", ":1", "a:x", "a:0", "a:-1", "a:nan", "a:inf", "a:1 "}) {
        const auto speeds = read_speeds(std::string("b:1,") + item);
        ASSERT_FALSE(speeds) << item;
        EXPECT_EQ(speeds.error().message, "\"" + std::string(item) +
                                              "\" is no speed; write TYPE:NUMBER, "
                                              "e.g. titanx:1.9");
    }
    std::string many = "a:1";
    for (int i = 0; i < 64; ++i) {
        many += ",a:1";
    }
    EXPECT_EQ(read_speeds(many).error().message, "more than 64 types of GPU");
}

}  // namespace
}  // namespace hora::read
