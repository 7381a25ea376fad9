// Is the speed of a link what its copies take, and does nothing stay allocated however they fail?
#include "scripts/hora/machine/link_test.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/hora/machine/stub_driver.hpp"

namespace hora::scripts {
namespace {

using LinkTest = tests::StubDriver;

TEST_F(LinkTest, IsOfTheSlowerDirectionInTheMedian) {
    struct Case {
        int a;
        int b;
        double bandwidth;
    };
    for (const Case& row : {Case{0, 1, 11e9}, {1, 2, 5e9}, {2, 1, 5e9}, {3, 2, 11e9}}) {
        const auto tested = test_link(driver(), row.a, row.b);
        ASSERT_TRUE(tested) << tested.error().message;
        EXPECT_NEAR(tested->bandwidth.count(), row.bandwidth, 1e-3 * row.bandwidth);
        EXPECT_TRUE(tested->has_peer_access);
        EXPECT_EQ(restart(), 0);
    }
}

TEST_F(LinkTest, WithoutPeerAccessGoesThroughTheHost) {
    set("STUB_CUDA", "staged");
    const auto tested = test_link(driver(), 0, 1);
    ASSERT_TRUE(tested) << tested.error().message;
    EXPECT_FALSE(tested->has_peer_access);
    EXPECT_EQ(restart(), 0);
}

TEST_F(LinkTest, LeavesNothingWhicheverCallFails) {
    int failed = 0;
    constexpr int more_than_it_makes = 1000;
    for (int call = 1; call < more_than_it_makes; ++call) {
        set("STUB_CUDA_FAILS", std::to_string(call));
        EXPECT_EQ(restart(), 0) << call;
        const auto tested = test_link(driver(), 0, 1);
        if (tested) {
            break;  // it makes no more of them
        }
        ++failed;
        EXPECT_TRUE(tested.error().message.ends_with("CUDA says \"something else\" (error 999)"))
            << tested.error().message;
    }
    EXPECT_LT(failed + 1, more_than_it_makes);
    EXPECT_GT(failed, 2 * 6 + 2 * 2 + 18 * 5 - 1);
    EXPECT_EQ(restart(), 0);
}

// hora refuses to read a bandwidth below 1 byte a second or above 1e15, and so must not store it.
TEST_F(LinkTest, TrustsNoClockThatIsAbsurd) {
    for (const char* const milliseconds :
         {"0", "-0", "-1", "nan", "inf", "-inf", "1e-30", "1e-38", "3e38", "6.8e10"}) {
        set("STUB_CUDA_MILLISECONDS", milliseconds);
        const auto tested = test_link(driver(), 0, 1);
        ASSERT_FALSE(tested) << milliseconds << ": " << tested->bandwidth.count();
        EXPECT_NE(tested.error().message.find("CUDA's clock is not to be trusted here"),
                  std::string::npos)
            << tested.error().message;
        EXPECT_EQ(restart(), 0);
    }
    for (const char* const milliseconds : {"0.0001", "5", "6.6e10"}) {
        set("STUB_CUDA_MILLISECONDS", milliseconds);
        EXPECT_TRUE(test_link(driver(), 0, 1)) << milliseconds;
    }
}

}  // namespace
}  // namespace hora::scripts
