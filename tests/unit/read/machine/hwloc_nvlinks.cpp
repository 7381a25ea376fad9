// Which pairs of GPUs and NVSwitches do hwloc's matrices join, whichever objects stand for them?
#include "libplanner/read/machine/hwloc_nvlinks.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/machine/some_hwloc.hpp"

namespace hora::read {
namespace {

// Three GPUs, the first of which NVML and CUDA both name, and an NVSwitch.
std::string machine(const std::string& matrices) {
    return two_sockets(
        host_bridge(40, pci(41, "0000:01:00.0", "0302 [10de:1db1]",
                            osdev(51, "nvml0", 1) + osdev(61, "cuda0", 5)) +
                            pci(42, "0000:02:00.0", "0302 [10de:1db1]", osdev(52, "nvml1", 1)) +
                            pci(43, "0000:03:00.0", "0302 [10de:1db1]", osdev(53, "nvml2", 1)) +
                            pci(44, "0000:04:00.0", "0680 [10de:1ac2]") +
                            pci(45, "0000:05:00.0", "0200 [8086:1521]", osdev(55, "eth0", 2))),
        "", "", matrices);
}

const DevicePlaces places = {{41, 7}, {42, 9}, {43, 8}, {44, 5}};

// `values`: row by row, a row for each index.
std::string matrix(std::string_view name, std::string_view indexes, int count,
                   std::string_view values) {
    return fmt::format(R"(<distances2hetero nbobjs="{}" kind="25" name="{}">)"
                       R"(<indexes length="{}">{}</indexes>)"
                       R"(<u64values length="{}">{}</u64values></distances2hetero>)",
                       count, name, indexes.size(), indexes, values.size(), values);
}

struct Case {
    const char* sentence;
    std::string matrices;
    std::string links;  // "a-b GB/s"
};

const Case cases[] = {
    {"no matrix", "", ""},
    {"a pair, by the place and not by the order in the matrix",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 50000 50000 0 "), "8-9 50;"},
    {"no link is none", matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 0 0 0 "), ""},
    {"of both directions the slower",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 50000 25000 0 "), "8-9 25;"},
    {"one direction alone is no link",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 50000 0 0 "), ""},
    {"what a card has with itself counts not",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "1000000 25000 25000 1000000 "), "8-9 25;"},
    {"a switch stands there itself",
     matrix("NVLinkBandwidth", "OSDev:51 PCIDev:44 ", 2, "0 150000 150000 0 "), "5-7 150;"},
    {"a processor with NVLink, as on POWER9, is no end of ours",
     matrix("NVLinkBandwidth", "OSDev:51 Package:10 OSDev:52 ", 3,
            "0 75000 75000 75000 0 75000 75000 75000 0 "),
     "7-9 75;"},
    {"nor a NIC", matrix("NVLinkBandwidth", "OSDev:51 OSDev:55 ", 2, "0 75000 75000 0 "), ""},
    {"two names of one card are not joined",
     matrix("NVLinkBandwidth", "OSDev:51 OSDev:61 ", 2, "0 75000 75000 0 "), ""},
    {"a card under two names has the links of either",
     matrix("NVLinkBandwidth", "OSDev:51 OSDev:61 OSDev:52 ", 3, "0 0 50000 0 0 0 50000 0 0 "),
     "7-9 50;"},
    {"and the faster where both say one",
     matrix("NVLinkBandwidth", "OSDev:51 OSDev:61 OSDev:52 ", 3,
            "0 0 50000 0 0 25000 50000 25000 0 "),
     "7-9 50;"},
    {"AMD's as well", matrix("XGMIBandwidth", "OSDev:52 OSDev:53 ", 2, "0 100000 100000 0 "),
     "8-9 100;"},
    {"but how many hops they are is no bandwidth",
     matrix("XGMIHops", "OSDev:52 OSDev:53 ", 2, "0 1 1 0 "), ""},
    {"as fast as any may be",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 10000000 10000000 0 "), "8-9 10000;"},
    {"faster than any",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2, "0 10000001 10000001 0 "), ""},
    {"beyond all numbers",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 ", 2,
            "0 18446744073709551615 18446744073709551615 0 "),
     ""},
    {"pairs stand in order",
     matrix("NVLinkBandwidth", "OSDev:52 OSDev:53 OSDev:51 PCIDev:44 ", 4,
            "0 1000 2000 3000 1000 0 4000 5000 2000 4000 0 6000 3000 5000 6000 0 "),
     "5-7 6;5-8 5;5-9 3;7-8 4;7-9 2;8-9 1;"},
};

TEST(HwlocNvlinks, ArePairsOfOurDevices) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        const OwnedHwloc topology = hwloc_of(machine(row.matrices));
        std::string links;
        for (const domain::NvLink& link : read_nvlinks(topology.get(), places)) {
            links += fmt::format("{}-{} {};", link.a, link.b, link.bandwidth.count() / 1e9);
            EXPECT_FALSE(link.is_assumed);
        }
        EXPECT_EQ(links, row.links);
    }
}

}  // namespace
}  // namespace hora::read
