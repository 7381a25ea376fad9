// Is all that was assumed of a machine said, and nothing else?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libplanner/report/machine/topology.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr domain::PcieLink known{.gigatransfers = 8, .lanes = 16, .bandwidth = Bandwidth(15.8e9)};
constexpr domain::PcieLink assumed{
    .gigatransfers = 8, .lanes = 16, .bandwidth = Bandwidth(15.8e9), .is_assumed = true};
constexpr domain::PcieLink usual{.gigatransfers = 8,
                                 .lanes = 16,
                                 .bandwidth = Bandwidth(15.8e9),
                                 .is_assumed = true,
                                 .is_usual = true};

domain::Topology machine(const std::vector<domain::PcieLink>& links) {
    domain::Topology topology;
    topology.objects.push_back({.kind = ObjectKind::machine});
    for (const domain::PcieLink& link : links) {
        topology.gpus.emplace_back().object = static_cast<std::uint32_t>(topology.objects.size());
        topology.objects.push_back({.kind = ObjectKind::gpu, .parent = 0, .uplink = link});
    }
    return topology;
}

TEST(TopologyRemarks, AMachineOfWhichAllIsKnownNeedsNone) {
    EXPECT_THAT(topology_remarks(machine({})), IsEmpty());
    EXPECT_THAT(topology_remarks(machine({known, known})), IsEmpty());
}

TEST(TopologyRemarks, NameTheGpusWhoseLinksAreUsualOnes) {
    using Links = std::vector<domain::PcieLink>;
    const struct {
        Links links;
        const char* named;
    } cases[] = {
        {{known, usual}, "the links of GPU1 were"},
        {Links(4, usual), "the links of GPU0, GPU1, GPU2, GPU3 were"},
        {Links(5, usual), "the links of GPU0, GPU1, GPU2, GPU3 and 1 more were"},
        {Links(200, usual), "the links of GPU0, GPU1, GPU2, GPU3 and 196 more were"},
    };
    for (const auto& row : cases) {
        EXPECT_THAT(topology_remarks(machine(row.links)), ElementsAre(StartsWith(row.named)));
    }
}

TEST(TopologyRemarks, CountTheLinksWhoseLanesAreAssumed) {
    EXPECT_THAT(topology_remarks(machine({assumed})),
                ElementsAre(StartsWith("rate and lanes of 1 link are assumed")));
    EXPECT_THAT(topology_remarks(machine({assumed, assumed, usual})),
                ElementsAre(HasSubstr("GPU2"), StartsWith("rate and lanes of 2 links")));
}

TEST(TopologyRemarks, SayOnceThatNvlinksAreAssumed) {
    domain::Topology topology = machine({known, known});
    domain::TopologyObject nvswitch{.kind = ObjectKind::nvswitch, .parent = 0, .vendor = 0x10de};
    topology.objects.push_back(nvswitch);
    topology.nvlinks = {{.a = 1, .b = 3, .bandwidth = Bandwidth(50e9), .is_assumed = true},
                        {.a = 2, .b = 3, .bandwidth = Bandwidth(50e9), .is_assumed = true}};
    EXPECT_THAT(topology_remarks(topology), ElementsAre(HasSubstr("there are NVSwitches")));
    topology.objects[3].vendor = 0;  // made up: the machine hides its own
    EXPECT_THAT(topology_remarks(topology), ElementsAre(HasSubstr("no NVLinks are shown")));
    topology.nvlinks[0].is_assumed = topology.nvlinks[1].is_assumed = false;
    EXPECT_THAT(topology_remarks(topology), IsEmpty());
}

}  // namespace
}  // namespace hora::report
