// Is each GPU and NIC compared with each other, in columns that stand below each other?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "libplanner/report/machine/topology.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::PathKind;

// A GPU at each of two NUMA nodes, and a NIC beside the first, which a switch joins to it.
domain::Topology machine(std::uint32_t gpus) {
    domain::Topology topology;
    topology.objects = {{.kind = ObjectKind::machine},
                        {.kind = ObjectKind::numa_node, .parent = 0, .os_index = 0},
                        {.kind = ObjectKind::bridge, .parent = 1, .is_switch = true},
                        {.kind = ObjectKind::nic, .parent = 2},
                        {.kind = ObjectKind::gpu, .parent = 2},
                        {.kind = ObjectKind::gpu, .parent = 0}};
    topology.nics.emplace_back().object = 3;
    for (std::uint32_t i = 0; i < gpus; ++i) {
        topology.gpus.emplace_back().object = 4 + i;
    }
    topology.paths.resize(std::size_t{gpus} * gpus);
    return topology;
}

std::string legend(const std::string& nics) {
    return "\n  SYS  = the link between NUMA nodes or sockets\n"
           "  NODE = host bridges of one NUMA node\n"
           "  PHB  = a PCIe host bridge: the processor\n"
           "  PXB  = several PCIe switches, not the processor\n"
           "  PIX  = one PCIe switch\n"
           "  NVL  = NVLink, or AMD's XGMI\n" +
           nics;
}

TEST(TopologyMatrix, OfNoGpuIsASentence) {
    EXPECT_EQ(topology_matrix(machine(0)), "no GPU\n");
}

TEST(TopologyMatrix, OfOneGpuHasNoBandwidths) {
    domain::Topology topology = machine(1);
    topology.gpus[0].cpus = {0, 1, 2, 8};
    topology.gpus[0].numa = 0;
    EXPECT_EQ(topology_matrix(topology),
              "     GPU0 NIC0  CPU Affinity  NUMA Affinity\n"
              "GPU0  X   PIX   0-2,8         0\n"
              "NIC0 PIX   X    N/A           N/A\n" +
                  legend(""));
}

TEST(TopologyMatrix, RoundsBandwidthsAndMarksWhatWasMeasured) {
    const struct {
        const char* sentence;
        domain::GpuPath path;
        std::string bandwidths;
    } cases[] = {
        {"by the figures",
         {PathKind::sys, Bandwidth(9.04e9), false},
         "GB/s GPU0 GPU1\nGPU0  X   9.0\nGPU1 9.0   X\n  one way, by NCCL's figures\n"},
        {"measured",
         {PathKind::nvlink, Bandwidth(240.4e9), true},
         "GB/s GPU0 GPU1\nGPU0  X   240*\nGPU1 240*  X\n"
         "  one way; * measured, the others by NCCL's figures\n"},
        {"near 100",
         {PathKind::pix, Bandwidth(99.96e9), false},
         "GB/s GPU0 GPU1\nGPU0  X   100\nGPU1 100   X\n  one way, by NCCL's figures\n"},
        {"not known",
         {PathKind::phb, Bandwidth(0), false},
         "GB/s GPU0 GPU1\nGPU0  X   0.0\nGPU1 0.0   X\n  one way, by NCCL's figures\n"},
    };
    for (const auto& row : cases) {
        domain::Topology topology = machine(2);
        topology.paths = {{}, row.path, row.path, {PathKind::sys, Bandwidth(1e9), true}};
        const std::string text = topology_matrix(topology);
        const std::size_t start = text.find("GB/s");
        ASSERT_NE(start, std::string::npos) << row.sentence;
        EXPECT_EQ(text.substr(start), row.bandwidths) << row.sentence;
    }
}

TEST(TopologyMatrix, ShowsNamesOfInterfacesPrintable) {
    domain::Topology topology = machine(1);
    topology.nics[0].names = {"eth0", "mlx5\x1b[2J\n", "\xff"};
    const std::string text = topology_matrix(topology);
    EXPECT_NE(text.find(legend("  NIC0 = eth0, mlx5 [2J , \xef\xbf\xbd\n")), std::string::npos)
        << text;
}

}  // namespace
}  // namespace hora::report
