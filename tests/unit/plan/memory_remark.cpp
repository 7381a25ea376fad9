// Does a plan have a remark where it needs nearly all of its GPUs' memory, and nowhere else?
#include "libplanner/plan/memory_remark.hpp"

#include <gtest/gtest.h>

namespace hora::plan {
namespace {

constexpr double gib = 1073741824.0;

domain::Cluster two_types() {
    domain::Cluster cluster;
    cluster.devices.resize(2);
    cluster.devices[0].name = "v100";
    cluster.devices[0].memory = Bytes(16 * gib);
    cluster.devices[1].name = "unknown";
    return cluster;
}

domain::Plan using_of_each(double gib_of_each) {
    domain::Plan plan;
    for (const std::uint32_t device : {0U, 1U}) {
        domain::DeviceUse& use = plan.devices.emplace_back();
        use.device = device;
        use.memory = Bytes(gib_of_each * gib);
    }
    return plan;
}

TEST(MemoryRemark, SaysWhatIsNeededOfTheTypeNearestToItsEnd) {
    const struct {
        double needed;
        bool is_beyond;
        const char* remark;
    } cases[] = {
        {11, false, ""},
        {12, false, "needs about 12.0 of a v100's 16.0 GiB (+-30 %): may run out of memory"},
        {16, false, "needs about 16.0 of a v100's 16.0 GiB (+-30 %): may run out of memory"},
        {20, true,
         "needs about 20.0 of a v100's 16.0 GiB (+-30 %): is likely to run out of memory"},
    };
    for (const auto& test : cases) {
        const domain::Plan plan = using_of_each(test.needed);
        EXPECT_EQ(is_beyond_memory(plan, two_types()), test.is_beyond) << test.needed;
        EXPECT_EQ(memory_remark(plan, two_types()), test.remark) << test.needed;
    }
}

TEST(MemoryRemark, IsOfTheFullerOfTwoTypes) {
    domain::Cluster cluster = two_types();
    cluster.devices[1].name = "t4";
    cluster.devices[1].memory = Bytes(13 * gib);
    EXPECT_EQ(memory_remark(using_of_each(12), cluster),
              "needs about 12.0 of a t4's 13.0 GiB (+-30 %): may run out of memory");
}

TEST(MemoryRemark, SaysNothingOfNoPlan) {
    EXPECT_EQ(memory_remark({}, two_types()), "");
    EXPECT_FALSE(is_beyond_memory({}, two_types()));
}

}  // namespace
}  // namespace hora::plan
