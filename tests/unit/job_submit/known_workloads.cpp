// Is a workload that came along before the one that its text says?
#include "plugins/job_submit/known_workloads.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "libplanner/read/model/workload_text.hpp"

namespace hora::submit {
namespace {

// Texts that differ in their number of multiply-adds.
std::string text_of(std::uint64_t mac) {
    domain::LayerCost layer;
    layer.mac = mac;
    return read::to_text({.data_type = domain::DataType::fp32, .layers = {layer}});
}

TEST(KnownWorkloadsTest, ReadsEachTextAsItIs) {
    KnownWorkloads workloads;
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint64_t mac = 0; mac < 20; ++mac) {
            const auto found = workloads.find(text_of(mac));
            ASSERT_NE(found, nullptr) << mac;
            EXPECT_EQ(*found, *read::read_workload_text(text_of(mac))) << mac;
        }
    }
}

TEST(KnownWorkloadsTest, ReadsOneThatCameLatelyOnce) {
    KnownWorkloads workloads;
    const auto first = workloads.find(text_of(1));
    workloads.find(text_of(2));
    EXPECT_EQ(workloads.find(text_of(1)), first);
}

TEST(KnownWorkloadsTest, KeepsOnlyTheLatest) {
    KnownWorkloads workloads;
    const std::weak_ptr<const domain::Workload> first = workloads.find(text_of(1));
    EXPECT_FALSE(first.expired());
    for (std::uint64_t mac = 2; mac < 12; ++mac) {
        workloads.find(text_of(mac));
    }
    EXPECT_TRUE(first.expired());
}

TEST(KnownWorkloadsTest, KnowsNoneOfATextThatIsNone) {
    KnownWorkloads workloads;
    for (const char* text : {"", "2.fp32", "forged", ""}) {
        EXPECT_EQ(workloads.find(text), nullptr) << text;
    }
}

}  // namespace
}  // namespace hora::submit
