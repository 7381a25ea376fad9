// Is a tree of hwloc, however odd, the machine that it is said to be?
#include "libplanner/read/machine/hwloc_machine.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "libplanner/read/pci_address.hpp"
#include "tests/unit/read/machine/some_hwloc.hpp"

namespace hora::read {
namespace {

using domain::ObjectKind;

constexpr const char* v100 = "0302 [10de:1db1]";
constexpr const char* ethernet = "0200 [8086:1521]";
constexpr const char* infiniband = "0207 [15b3:101b]";
constexpr const char* nvswitch = "0680 [10de:1ac2]";
constexpr const char* disk = "0108 [144d:a808]";

std::string text_of(std::uint32_t number) {
    return number == domain::not_known ? "-" : std::to_string(number);
}

// Each device and bridge, behind the machine's sockets and NUMA nodes: "gpu 01:00.0 in 1 'A100'".
std::string devices_of(const domain::Topology& topology) {
    static constexpr const char* kinds[] = {"machine", "socket", "numa", "host",
                                            "bridge",  "gpu",    "nic",  "nvswitch"};
    std::string text;
    for (const domain::TopologyObject& one : topology.objects) {
        if (one.kind > ObjectKind::numa_node) {
            text += fmt::format("{} {} in {} '{}'; ", kinds[static_cast<std::size_t>(one.kind)],
                                format_pci_address(one.address).substr(5), one.parent, one.name);
        }
    }
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        text += fmt::format("gpu {} numa {} socket {} cpus {}; ", gpu.object, text_of(gpu.numa),
                            text_of(gpu.socket), fmt::join(gpu.cpus, ","));
    }
    for (const domain::TopologyNic& nic : topology.nics) {
        text += fmt::format("nic {} numa {} {} cpus {}; ", nic.object, text_of(nic.numa),
                            fmt::join(nic.names, ","), fmt::join(nic.cpus, ","));
    }
    return text;
}

struct Case {
    const char* sentence;
    std::string xml;
    std::string devices;
};

std::string many_interfaces() {
    std::string all;
    for (int i = 0; i < 20; ++i) {
        all += osdev(100 + i, fmt::format("e{}", i), 2);
    }
    return all;
}

const Case cases[] = {
    {"no device", two_sockets("", "", ""), ""},
    {"a GPU at its socket is at the socket's NUMA node",
     two_sockets("", host_bridge(40, pci(41, "0000:01:00.0", v100)), ""),
     "host 00:00.0 in 4 'pci0000:00'; gpu 01:00.0 in 5 ''; gpu 6 numa 1 socket 1 cpus 2,3; "},
    {"a GPU at the machine is near no socket",
     two_sockets("", "", host_bridge(40, pci(41, "0000:01:00.0", v100))),
     "host 00:00.0 in 0 'pci0000:00'; gpu 01:00.0 in 5 ''; gpu 6 numa - socket - cpus 0,1,2,3; "},
    {"a GPU without any bridge", two_sockets(pci(41, "0000:01:00.0", v100), "", ""),
     "gpu 01:00.0 in 2 ''; gpu 5 numa 0 socket 0 cpus 0,1; "},
    {"bridges with nothing of ours below are none",
     two_sockets(
         host_bridge(40, port(41, "0000:00:01.0", "01-02",
                              port(42, "0000:01:00.0", "02-02", pci(43, "0000:02:00.0", disk))) +
                             port(44, "0000:00:02.0", "03-03", pci(45, "0000:03:00.0", v100))),
         "", ""),
     "host 00:00.0 in 2 'pci0000:00'; bridge 00:02.0 in 5 ''; gpu 03:00.0 in 6 ''; "
     "gpu 7 numa 0 socket 0 cpus 0,1; "},
    {"GPUs stand by their addresses",
     two_sockets(pci(41, "0000:09:00.0", v100) + pci(42, "0000:02:00.0", v100), "",
                 pci(43, "0000:01:00.0", v100)),
     "gpu 01:00.0 in 0 ''; gpu 09:00.0 in 2 ''; gpu 02:00.0 in 2 ''; "
     "gpu 5 numa - socket - cpus 0,1,2,3; gpu 7 numa 0 socket 0 cpus 0,1; "
     "gpu 6 numa 0 socket 0 cpus 0,1; "},
    {"of all names that of the drivers",
     two_sockets(pci(41, "0000:01:00.0", v100,
                     info("PCIDevice", "GV100GL") + osdev(51, "opencl0d0", 5) +
                         osdev(52, "cuda0", 5, info("CoProcName", "co")) +
                         osdev(53, "nvml0", 1, info("GPUModel", "Tesla V100-SXM2-16GB")) +
                         osdev(54, "rsmi0", 1, info("GPUModel", "another"))),
                 "", ""),
     "gpu 01:00.0 in 2 'Tesla V100-SXM2-16GB'; gpu 5 numa 0 socket 0 cpus 0,1; "},
    {"an empty name is none",
     two_sockets(pci(41, "0000:01:00.0", v100,
                     info("PCIDevice", "GV100GL") + osdev(53, "nvml0", 1, info("GPUModel", ""))),
                 "", ""),
     "gpu 01:00.0 in 2 'GV100GL'; gpu 5 numa 0 socket 0 cpus 0,1; "},
    {"names are printable",
     two_sockets(pci(41, "0000:01:00.0", v100, info("PCIDevice", "a&#10;b\xc3\xa9")), "", ""),
     "gpu 01:00.0 in 2 'a?b?\?'; gpu 5 numa 0 socket 0 cpus 0,1; "},
    {"MIG makes no GPU more: CUDA shows each instance at the card",
     two_sockets(pci(41, "0000:01:00.0", v100, osdev(51, "cuda0", 5) + osdev(52, "cuda1", 5)), "",
                 ""),
     "gpu 01:00.0 in 2 ''; gpu 5 numa 0 socket 0 cpus 0,1; "},
    {"a driver's device without a card is none",
     two_sockets(osdev(51, "cuda0", 5, info("GPUModel", "V100")), "", osdev(52, "nvml0", 1)), ""},
    {"a NIC has the names of its interfaces alone",
     two_sockets(pci(41, "0000:01:00.0", infiniband,
                     osdev(51, "ib0", 2) + osdev(52, "mlx5_0", 3) + osdev(53, "opencl0d0", 5)) +
                     pci(42, "0000:02:00.0", ethernet, osdev(54, "e\xc3\xa9", 2)),
                 "", ""),
     "nic 01:00.0 in 2 ''; nic 02:00.0 in 2 ''; nic 5 numa 0 ib0,mlx5_0 cpus 0,1; "
     "nic 6 numa 0 e?\? cpus 0,1; "},
    {"and no more than 16 of them",
     two_sockets(pci(41, "0000:01:00.0", ethernet, many_interfaces()), "", ""),
     "nic 01:00.0 in 2 ''; nic 5 numa 0 e0,e1,e2,e3,e4,e5,e6,e7,e8,e9,e10,e11,e12,e13,e14,e15 "
     "cpus 0,1; "},
    {"an NVSwitch by its kind, or as hwloc's NVML names it",
     two_sockets(pci(41, "0000:01:00.0", nvswitch) +
                     pci(42, "0000:02:00.0", "0580 [10de:22a3]", "", "0", R"(subtype="NVSwitch")"),
                 "", ""),
     "nvswitch 01:00.0 in 2 ''; nvswitch 02:00.0 in 2 ''; "},
};

TEST(HwlocMachine, IsTheTreeInOurWords) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        const OwnedHwloc topology = hwloc_of(row.xml);
        const auto machine = read_machine(topology.get());
        ASSERT_TRUE(machine) << machine.error().message;
        EXPECT_EQ(devices_of(machine->topology), row.devices);
        EXPECT_EQ(machine->speeds.size(), machine->topology.objects.size());
    }
}

TEST(HwlocMachine, KeepsTheSpeedOfEachPort) {
    const OwnedHwloc topology = hwloc_of(two_sockets(
        host_bridge(40, port(41, "0000:00:01.0", "01-01",
                             pci(42, "0000:01:00.0", v100, "", "4.000000"), "15.753846") +
                            port(43, "0000:00:02.0", "02-02", pci(44, "0000:02:00.0", disk), "2") +
                            pci(45, "0000:03:00.0", v100)),
        "", ""));
    const auto machine = read_machine(topology.get());
    ASSERT_TRUE(machine);
    std::string speeds;
    for (const double speed : machine->speeds) {
        speeds += fmt::format("{:.3f} ", speed);
    }
    EXPECT_EQ(speeds, "0.000 0.000 0.000 0.000 0.000 0.000 15.754 4.000 0.000 ");
}

TEST(HwlocMachine, RefusesPlacesThatCannotBe) {
    const struct {
        const char* sentence;
        std::string devices;
        const char* problem;
    } refused[] = {
        {"two devices at one place",
         pci(41, "0000:01:00.0", v100) + pci(42, "0000:01:00.0", ethernet),
         "has two devices at \"0000:01:00.0\""},
        {"a device at a bridge's place",
         port(41, "0000:01:00.0", "02-02", pci(42, "0000:01:00.0", v100)),
         "has two devices at \"0000:01:00.0\""},
        {"a slot too many", pci(41, "0000:01:20.0", v100), "has a device at \"0000:01:20.0\""},
        {"a bridge there", port(41, "0000:01:20.0", "02-02", pci(42, "0000:02:00.0", v100)),
         "has a device at \"0000:01:20.0\""},
        {"of several problems the first",
         pci(41, "0000:01:20.0", v100) + pci(42, "0000:01:21.0", v100),
         "has a device at \"0000:01:20.0\""},
    };
    for (const auto& row : refused) {
        const OwnedHwloc topology = hwloc_of(two_sockets(row.devices, "", ""));
        const auto machine = read_machine(topology.get());
        ASSERT_FALSE(machine) << row.sentence;
        EXPECT_EQ(machine.error().kind, ErrorKind::wrong_use) << row.sentence;
        EXPECT_EQ(machine.error().message.find(row.problem), 0U) << machine.error().message;
    }
    // Of devices that are none of ours nothing is asked.
    const OwnedHwloc disks = hwloc_of(
        two_sockets(pci(41, "0000:01:00.0", disk) + pci(42, "0000:01:00.0", disk), "", ""));
    EXPECT_TRUE(read_machine(disks.get()));
}

std::string processor_of(const domain::Processor& one) {
    return fmt::format("{}|{}|{}|{}|{}", one.architecture, one.vendor, one.name,
                       text_of(one.family), text_of(one.model));
}

struct ProcessorCase {
    const char* sentence;
    std::string in_socket;
    std::string in_machine;
    std::string processor;
};

TEST(HwlocMachine, NamesItsProcessor) {
    const std::vector<ProcessorCase> processors = {
        {"nothing", "", "", "||||-|-"},
        {"at the socket",
         info("CPUModel", "Xeon") + info("CPUVendor", "GenuineIntel") +
             info("CPUFamilyNumber", "6") + info("CPUModelNumber", "85"),
         info("Architecture", "x86_64") + info("HostName", "n1"),
         "n1|x86_64|GenuineIntel|Xeon|6|85"},
        {"at the machine", info("CPUVendor", "of a socket"),
         info("CPUModel", "POWER9") + info("CPUVendor", "IBM") + info("CPUFamilyNumber", "x"),
         "||IBM|POWER9|-|-"},
        {"a long host name is cut", "", info("HostName", std::string(80, 'n')),
         std::string(64, 'n') + "||||-|-"},
    };
    for (const ProcessorCase& row : processors) {
        const OwnedHwloc topology = hwloc_of(two_sockets(row.in_socket, "", row.in_machine));
        const auto machine = read_machine(topology.get());
        ASSERT_TRUE(machine) << row.sentence;
        EXPECT_EQ(machine->topology.host + "|" + processor_of(machine->topology.processor),
                  row.processor)
            << row.sentence;
    }
}

TEST(HwlocMachine, CountsItsCores) {
    const struct {
        const char* description;
        const char* counts;  // sockets, cores of each, threads of a core
        const char* cores;   // socket, NUMA node, L3 cache and CPUs of each
    } counted[] = {
        {"pack:2 [numa] l3:1 core:2 pu:2", "2 2 2", "0 0 0 0,1; 0 0 0 2,3; 1 1 1 4,5; 1 1 1 6,7; "},
        {"numa:2 core:1 pu:1", "1 0 1", "- 0 - 0; - 1 - 1; "},
        {"pack:1 l3:2 core:1 pu:1", "1 2 1", "0 0 0 0; 0 0 1 1; "},
        {"[numa] pu:4", "1 0 1", ""},
    };
    for (const auto& row : counted) {
        SCOPED_TRACE(row.description);
        hwloc_topology_t raw = nullptr;
        hwloc_topology_init(&raw);
        const OwnedHwloc topology(raw, hwloc_topology_destroy);
        ASSERT_EQ(hwloc_topology_set_synthetic(raw, row.description), 0);
        ASSERT_EQ(hwloc_topology_load(raw), 0);
        const auto machine = read_machine(raw);
        ASSERT_TRUE(machine);
        const domain::Topology& found = machine->topology;
        EXPECT_EQ(
            fmt::format("{} {} {}", found.sockets, found.cores_per_socket, found.threads_per_core),
            row.counts);
        std::string cores;
        for (const domain::TopologyCore& core : found.cores) {
            cores += fmt::format("{} {} {} {}; ", text_of(core.socket), text_of(core.numa),
                                 text_of(core.cache), fmt::join(core.cpus, ","));
        }
        EXPECT_EQ(cores, row.cores);
    }
}

// Any forest of ports and devices.
struct Forest {
    int next = 0;

    std::string any(int levels) {
        std::string text;
        const int count = *rc::gen::inRange(0, 4);
        for (int i = 0; i < count; ++i) {
            const int own = next++;
            const std::string busid = fmt::format("0000:{:02x}:00.0", own % 256);
            if (levels > 0 && *rc::gen::arbitrary<bool>()) {
                text += port(1000 + own, busid, fmt::format("{0:02x}-{0:02x}", own % 256),
                             any(levels - 1), "nan");
            } else {
                text += pci(1000 + own, busid,
                            *rc::gen::element(v100, ethernet, nvswitch, disk, "ffff [ffff:ffff]"),
                            "", *rc::gen::element("nan", "-1", "1e30", "4"));
            }
        }
        return text;
    }
};

TEST(HwlocMachine, HasParentsBeforeChildrenAndNoBareBridge) {
    EXPECT_TRUE(rc::check([] {
        Forest forest;
        const std::string first = forest.any(3);
        const std::string second = host_bridge(40, forest.any(3));
        const std::string third = forest.any(2);
        const OwnedHwloc hwloc = hwloc_of(two_sockets(first, second, third));
        const auto machine = read_machine(hwloc.get());
        RC_ASSERT(machine.has_value());
        const auto& objects = machine->topology.objects;
        RC_ASSERT(machine->speeds.size() == objects.size());
        std::vector<bool> has_child(objects.size(), false);
        for (std::uint32_t i = 1; i < objects.size(); ++i) {
            RC_ASSERT(objects[i].parent < i);
            has_child[objects[i].parent] = true;
        }
        std::size_t devices = 0;
        for (std::uint32_t i = 0; i < objects.size(); ++i) {
            const bool is_bridge =
                objects[i].kind == ObjectKind::bridge || objects[i].kind == ObjectKind::host_bridge;
            RC_ASSERT(!is_bridge || has_child[i]);
            devices += domain::is_gpu_or_nic(objects[i].kind) ? 1 : 0;
        }
        RC_ASSERT(devices == machine->topology.gpus.size() + machine->topology.nics.size());
    }));
}

}  // namespace
}  // namespace hora::read
