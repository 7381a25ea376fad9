#include "libplanner/base/counted.hpp"

#include <gtest/gtest.h>

namespace hora {
namespace {

TEST(Counted, OneThingIsNoPlural) {
    EXPECT_EQ(counted(0, "GPU"), "0 GPUs");
    EXPECT_EQ(counted(1U, "GPU"), "1 GPU");
    EXPECT_EQ(counted(2L, "GPU"), "2 GPUs");
    EXPECT_EQ(counted(1, "NVSwitch", "es"), "1 NVSwitch");
    EXPECT_EQ(counted(6, "NVSwitch", "es"), "6 NVSwitches");
    EXPECT_EQ(counted_are(1, "job"), "1 job is");
    EXPECT_EQ(counted_are(3, "job"), "3 jobs are");
}

}  // namespace
}  // namespace hora
